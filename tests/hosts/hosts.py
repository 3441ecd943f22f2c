"""Fixtures for the folders whose tests run the C++ programs of this one; import them in a conftest.py."""

import json
import subprocess
from collections import Counter

import pytest
from programs import finished, start_command


@pytest.fixture(scope="session")
def host_command(build_dir):
    """host_command(name, *arguments): a C++ program of this folder, as a command."""
    return lambda name, *arguments: [build_dir / "tests" / "hosts" / name, *arguments]


@pytest.fixture
def host(host_command, tmp_path):
    """host(name, *arguments, **environment): the ended C++ program, as `program` gives a Python one."""

    def run(name, *arguments, status=0, **settings):
        return finished(start_command(host_command(name, *arguments), tmp_path, **settings), status)

    return run


@pytest.fixture
def reported(build_dir, records):
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
