"""The reference is whole: variables, formats and interfaces of the code stand in the documents, and no others."""

import inspect
import re
import subprocess

import opcov
import pytest
from markdown import SOURCE, anchors, documents, prose, section, table_rows, text_of

ENVIRONMENT = "docs/guide-environment.md"
PYTHON = "docs/guide-python.md"
CPP = "docs/guide-cpp.md"

# Environment variables


@pytest.fixture(scope="session")
def settings(build_dir):
    """Their names, as the program itself gives them."""
    command = [build_dir / "bin" / "opcov", "run", "--", "true"]
    done = subprocess.run(command, capture_output=True, text=True, env={"OPCOV_NO_SUCH": "1"}, timeout=60)
    assert done.returncode == 2
    names = done.stderr.split("there are ")[1].strip().split(", ")
    assert "OPCOV" in names and "OPCOV_DIR" in names
    return names


def test_every_variable_has_a_row(settings):
    variables = re.findall(r"`(OPCOV\w*)`", "\n".join(table_rows(section(ENVIRONMENT, "Variables"))))
    assert sorted(variables) == sorted(settings)


def test_defaults_are_those_of_the_code():
    known = re.findall(r'\{"(OPCOV\w*)",[^}]*?\(default: ([^()]+)\)"\}', text_of("csrc/base/settings.cc"))
    assert len(known) > 5
    lines = {line.split("`")[1]: line for line in text_of(ENVIRONMENT).splitlines() if line.startswith("| `OPCOV")}
    plain = {name: line.replace("`", "") for name, line in lines.items()}
    assert [name for name, default in known if default not in plain[name]] == []


@pytest.mark.parametrize("document", documents())
def test_no_other_variable_is_named(document, settings):
    build_options = re.findall(r"option\((OPCOV_\w+)", text_of("CMakeLists.txt"))
    named = set(re.findall(r"\bOPCOV_\w*[A-Z]\b", text_of(document)))
    assert named - {*settings, *build_options} == set()


# Formats


def test_lines_of_a_record_have_a_row():
    written = re.findall(r'\{"record", "(\w+)"\}', text_of("csrc/intercept/session.cc"))
    assert {"header", "signature", "calls", "notice"} <= set(written)
    told = text_of("docs/record-format.md").split("Kinds of notices")[0]
    assert set(written) - {row.strip("`") for row in table_rows(told)} == set()


def test_kinds_of_notices_have_a_row():
    folders = ("csrc/intercept", "csrc/format", "python_shim/opcov")
    files = [path for folder in folders for path in (SOURCE / folder).rglob("*") if path.suffix in (".cc", ".h", ".py")]
    code = "\n".join(path.read_text() for path in files)
    written = set(re.findall(r'(?:push_back|append_notice)\(\{"(\w+)",', code))
    assert {"look_alikes", "not_captured", "undescribed"} <= written
    told = text_of("docs/record-format.md").split("Kinds of notices")[1].split("\n## ")[0]
    kinds = {kind for row in table_rows(told) for kind in re.findall(r"`(\w+)`", row)}
    assert written - kinds == set()
    assert {kind for kind in kinds if f'"{kind}"' not in code} == set()


# Interfaces


def test_python_functions_are_told():
    assert "start" in opcov.__all__
    told = text_of(PYTHON)
    assert [name for name in opcov.__all__ if not re.search(rf"`{name}\b|opcov\.{name}\b", told)] == []


def test_arguments_of_start_have_a_row():
    table = section(PYTHON, "Decide what is recorded").split("| function |")[0]
    told = [name for row in table_rows(table) for name in re.findall(r"`(\w+)`", row)]
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


@pytest.mark.parametrize("document", documents())
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text_of(document))):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = SOURCE / document if not path else (SOURCE / document).parent / path
        assert file.exists(), f"{document}: {target}"
        assert not anchor or anchor in anchors(file.read_text()), f"{document}: {target}"
