"""Programs that capture their calls."""

import textwrap
from pathlib import Path

import pytest
from programs import finished, start_program

LINEARS = {"OPCOV": "1", "OPCOV_OPS": "aten::linear", "OPCOV_CAPTURE": "all"}


def here(source):
    """A program of programs.py that has captured.py and opcov too."""
    folder = str(Path(__file__).parent)
    return f"sys.path.insert(0, {folder!r}); import captured, opcov\n" + textwrap.dedent(source)


def start(folder, source, **settings):
    """The running program, which captures its linears unless the settings say otherwise."""
    return start_program(here(source), folder, **{**LINEARS, **settings})


@pytest.fixture
def capturing(tmp_path):
    """capturing(source, **settings): opcov's lines on stderr of such a program."""

    def run(source, folder=tmp_path, **settings):
        done = finished(start(folder, source, **settings), 0)
        return [line for line in done.stderr_text.splitlines() if line.startswith("opcov: ")]

    return run
