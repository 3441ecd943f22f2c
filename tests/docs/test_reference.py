"""The reference is whole: what the code offers stands in the documents, and these name nothing else."""

import inspect
import re
import subprocess
from pathlib import Path

import opcov
import pytest
from markdown import anchors, blocks, code_spans, documents, prose, section

SOURCE = Path(__file__).parents[2]
ENVIRONMENT = "docs/guide-environment.md"
PYTHON = "docs/guide-python.md"
CPP = "docs/guide-cpp.md"

# Where a command has a document of its own, cli.md has its usage alone.
DESCRIBED_IN = {"index": "docs/snapshots.md", "replay": "docs/guide-replay.md", "profile": "docs/guide-profile.md"}


def text_of(document):
    return (SOURCE / document).read_text()


def rows(text):
    """The first cells of a document's tables."""
    return [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| `")]


def output(build_dir, *arguments, program="opcov", status=0, **environment):
    command = [build_dir / "bin" / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


# Environment variables


@pytest.fixture(scope="session")
def settings(build_dir):
    told = output(build_dir, "run", "--", "true", status=2, OPCOV_NO_SUCH="1")
    names = told.split("there are ")[1].strip().split(", ")
    assert "OPCOV" in names and "OPCOV_DIR" in names
    return names


def test_every_variable_has_a_row(settings):
    variables = re.findall(r"`(OPCOV\w*)`", "\n".join(rows(section(SOURCE, ENVIRONMENT, "Variables"))))
    assert sorted(variables) == sorted(settings)


def test_defaults_are_those_of_the_code():
    known = re.findall(r'\{"(OPCOV\w*)",[^}]*?\(default: ([^()]+)\)"\}', text_of("csrc/base/settings.cc"))
    assert len(known) > 5
    lines = {line.split("`")[1]: line for line in text_of(ENVIRONMENT).splitlines() if line.startswith("| `OPCOV")}
    plain = {name: line.replace("`", "") for name, line in lines.items()}
    assert [name for name, default in known if default not in plain[name]] == []


@pytest.mark.parametrize("document", documents(SOURCE))
def test_no_other_variable_is_named(document, settings):
    build_options = re.findall(r"option\((OPCOV_\w+)", text_of("CMakeLists.txt"))
    named = set(re.findall(r"\bOPCOV_\w*[A-Z]\b", text_of(document)))
    assert named - {*settings, *build_options} == set()


# Commands and their options


@pytest.fixture(scope="session")
def helps(build_dir):
    """{command: its --help}"""
    commands = re.findall(r"^  (\w+)", output(build_dir, "--help").split("Subcommands:")[1], re.MULTILINE)
    assert "report" in commands and "man" in commands
    helps = {command: output(build_dir, command, "--help") for command in commands if command != "replay"}
    return {**helps, "replay": output(build_dir, "--help", program="opcov-replay")}


def options_of(help_text):
    """{long name: (all its names, its default)}"""
    found = {}
    for names, default in re.findall(r"^  (-[\w,-]+)(?:[^\S\n]+\S*?=(\S+))?", help_text, re.MULTILINE):
        long = next(name for name in names.split(",") if name.startswith("--"))
        if long not in ("--help", "--version"):
            found[long] = (names.split(","), default)
    return found


def usages():
    """(document, command, text) of each usage that a document states."""
    found = [block for document in documents(SOURCE) for block in blocks(SOURCE, document)]
    found = [block for block in found if block.language == "text" and block.text.startswith("opcov ")]
    all_of = [(block.document, usage) for block in found for usage in re.split(r"\n(?=opcov )", block.text)]
    return [(document, usage.split()[1], usage) for document, usage in all_of]


@pytest.mark.parametrize("document, command, usage", usages(), ids=lambda value: value.split("\n")[0])
def test_usages_have_the_options_that_there_are(document, command, usage, helps):
    if command == "--version":
        return
    options = options_of(helps[command])
    names = {name: long for long, (all_names, _) in options.items() for name in all_names}
    used = re.findall(r"(?<![\w-])--?[a-z][\w-]*", usage)
    assert [name for name in used if name not in names] == []
    assert {names[name] for name in used} == set(options)


def test_every_command_has_its_usage_in_the_reference(helps):
    assert {command for document, command, _ in usages() if document == "docs/cli.md"} - {"--version"} == set(helps)


def described(command):
    """The text about a command, its usages left out."""
    if command in DESCRIBED_IN:
        return prose(SOURCE, DESCRIBED_IN[command])
    titles = re.findall(r"^## (.*)$", text_of("docs/cli.md"), re.MULTILINE)
    title = next(title for title in titles if f"opcov {command}" in title)
    return re.sub(r"^```text.*?^```$", "", section(SOURCE, "docs/cli.md", title), flags=re.DOTALL | re.MULTILINE)


def test_every_option_is_described(helps):
    options = [(command, names) for command, text in helps.items() for names, _ in options_of(text).values()]
    assert len(options) >= 50
    told = {command: described(command) for command in helps}
    missing = [(command, names) for command, names in options if not any(f"`{name}" in told[command] for name in names)]
    assert missing == []


def test_numbers_are_the_defaults(helps):
    seen = 0
    for command, text in helps.items():
        for long, (_, default) in options_of(text).items():
            if default.isdigit():
                seen += 1
                assert re.search(rf"`{long}[^\n]*\b{default}\b|`N` \({default}\)", described(command)), (command, long)
    assert seen >= 7


def test_examples_of_help_name_what_there_is(helps):
    for text in helps.values():
        for line in re.findall(r"opcov(?:-replay)? .*", text.split("Example:")[-1] if "Example:" in text else ""):
            assert_names_what_there_is(line.replace("opcov-replay", "opcov replay"), helps)


def assert_names_what_there_is(line, helps):
    words = re.split(r" (?:--|\|) ", line)[0].split()
    if words[1].startswith("-"):
        assert words[1] in ("--version", "--help"), line
        return
    assert words[1] in helps, line
    names = {name for all_names, _ in options_of(helps[words[1]]).values() for name in all_names}
    for word in words[2:]:
        if re.match(r"--?[a-z]", word):
            assert word.split("=")[0].rstrip(":,") in names | {"--help"}, line


@pytest.mark.parametrize("document", documents(SOURCE))
def test_commands_in_the_text_are_there(document, helps):
    for span in code_spans(SOURCE, document):
        if span.startswith("opcov ") and re.match(r"opcov [a-z-]+( |$)", span):
            assert_names_what_there_is(span, helps)


def test_exit_codes_are_told():
    codes = re.findall(r"^  k\w+ = (\d),", text_of("csrc/base/error.h"), re.MULTILINE)
    table = section(SOURCE, "docs/cli.md", "Exit codes")
    assert re.findall(r"^\| (\d) \|", table, re.MULTILINE) == codes != []


# Formats


def test_lines_of_a_record_have_a_row():
    written = re.findall(r'\{"record", "(\w+)"\}', text_of("csrc/intercept/session.cc"))
    assert {"header", "signature", "calls", "notice"} <= set(written)
    told = text_of("docs/record-format.md").split("Kinds of notices")[0]
    assert set(written) - {row.strip("`") for row in rows(told)} == set()


def test_kinds_of_notices_have_a_row():
    folders = ("csrc/intercept", "csrc/format", "python_shim/opcov")
    files = [path for folder in folders for path in (SOURCE / folder).rglob("*") if path.suffix in (".cc", ".h", ".py")]
    code = "\n".join(path.read_text() for path in files)
    written = set(re.findall(r'(?:push_back|append_notice)\(\{"(\w+)",', code))
    assert {"look_alikes", "not_captured", "undescribed"} <= written
    told = text_of("docs/record-format.md").split("Kinds of notices")[1].split("\n## ")[0]
    kinds = {kind for row in rows(told) for kind in re.findall(r"`(\w+)`", row)}
    assert written - kinds == set()
    assert {kind for kind in kinds if f'"{kind}"' not in code} == set()


# Interfaces


def test_python_functions_are_told():
    assert "start" in opcov.__all__
    told = text_of(PYTHON)
    assert [name for name in opcov.__all__ if not re.search(rf"`{name}\b|opcov\.{name}\b", told)] == []


def test_arguments_of_start_have_a_row():
    table = section(SOURCE, PYTHON, "Decide what is recorded").split("| function |")[0]
    told = [name for row in rows(table) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(told) == sorted(inspect.signature(opcov.start).parameters)


def test_cpp_functions_are_told():
    declared = set()
    for header in (SOURCE / "include" / "opcov").glob("*.h"):
        declared |= set(re.findall(r"OPCOV_EXPORT [\w:]+[ ]+(\w+)\(|class OPCOV_EXPORT (\w+)", header.read_text()))
    names = {name for pair in declared for name in pair if name}
    assert {"start", "set_rank", "StageScope", "opcov_enter_stage", "opcov_graph_begin"} <= names
    told = text_of(CPP)
    assert {name for name in names if not re.search(rf"`{name}\(|opcov::{name}\b", told)} == set()


def test_public_headers_are_named():
    headers = [f"opcov/{header.name}" for header in (SOURCE / "include" / "opcov").glob("*.h")]
    assert headers and [header for header in headers if header not in text_of(CPP)] == []


# Links


@pytest.mark.parametrize("document", documents(SOURCE))
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(SOURCE, document)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = SOURCE / document if not path else (SOURCE / document).parent / path
        assert file.exists(), f"{document}: {target}"
        assert not anchor or anchor in anchors(file.read_text()), f"{document}: {target}"
