"""The reference is whole: every command and option of the parser stands in the documents, and no others."""

import re
import subprocess

import pytest
from markdown import blocks, code_spans, documents, prose, section, text_of

# Where a command has a document of its own, cli.md has its usage alone.
DESCRIBED_IN = {"index": "docs/snapshots.md", "replay": "docs/guide-replay.md", "profile": "docs/guide-profile.md"}


def output(build_dir, *arguments, program="opcov"):
    command = [build_dir / "bin" / program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


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
    found = [block for document in documents() for block in blocks(document)]
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
        return prose(text_of(DESCRIBED_IN[command]))
    titles = re.findall(r"^## (.*)$", text_of("docs/cli.md"), re.MULTILINE)
    title = next(title for title in titles if f"opcov {command}" in title)
    return prose(section("docs/cli.md", title))


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
    examples = [line for text in helps.values() for line in re.findall(r"Example:\s+(.*)", text)]
    assert len(examples) >= len(helps)
    for line in examples:
        command = line.replace("opcov-replay", "opcov replay").removeprefix("source <(").removesuffix(")")
        assert_names_what_there_is(command, helps)


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


@pytest.mark.parametrize("document", documents())
def test_commands_in_the_text_are_there(document, helps):
    for span in code_spans(text_of(document)):
        if span.startswith("opcov ") and re.match(r"opcov [a-z-]+( |$)", span):
            assert_names_what_there_is(span, helps)


def test_exit_codes_are_told():
    codes = re.findall(r"^  k\w+ = (\d),", text_of("csrc/base/error.h"), re.MULTILINE)
    table = section("docs/cli.md", "Exit codes")
    assert re.findall(r"^\| (\d) \|", table, re.MULTILINE) == codes != []
