"""`--kills 200` kills ten times as many programs as CI does."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))  # the record reader, and how programs are run

from programs import finished, program, records, start_command  # noqa: E402, F401 - two are fixtures


def pytest_addoption(parser):
    parser.addoption("--kills", type=int, default=20, help="how many programs are killed at a random moment")


@pytest.fixture(scope="session")
def host_command(build_dir):
    """host_command(name, *arguments): a C++ program of this folder, as a command."""
    return lambda name, *arguments: [build_dir / "tests" / "ends" / name, *arguments]


@pytest.fixture
def host(host_command, tmp_path):
    """host(name, *arguments, **environment): the ended C++ program, as `program` gives a Python one."""

    def run(name, *arguments, status=0, **settings):
        return finished(start_command(host_command(name, *arguments), tmp_path, **settings), status)

    return run


@pytest.fixture
def reported(build_dir, records):  # noqa: F811
    """reported(): calls by operator overload as `opcov report` gives them, once `opcov verify` found nothing wrong."""

    def tool(*arguments):
        command = [build_dir / "bin" / "opcov", *arguments]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def report():
        tool("verify", records)
        calls = Counter()
        for row in json.loads(tool("report", records))["rows"]:
            calls[row["signature"]["op"]] += row["calls"]
        return calls

    return report
