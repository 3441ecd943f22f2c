"""opcov-replay as the tests call it, and one record of all kinds of calls to replay."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "python"), str(TESTS / "operator_database")]  # the oracle, the record reader, the samples

from capturing import start  # noqa: E402
from programs import clean_environment, finished, program, records  # noqa: E402, F401 - two are fixtures


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", help="where made values are held against the generator: cpu, cuda")
    parser.addoption("--share", type=int, default=8, help="every how many operators of the database one is run")


@pytest.fixture(scope="session")
def replay(build_dir):
    """replay(*arguments, status=0, **environment): the ended process, with .calls where --json is given.

    `status`: None where the calls tell. `into`: a folder into which the replay records itself, by OPCOV=1.
    """

    def run(*arguments, status=0, into=None, **environment):
        recording = {"OPCOV": "1", "OPCOV_OPS": "aten::*"} if into else {}
        arguments = [*arguments, *(["--keep-recording"] if into else [])]
        done = subprocess.run(
            [str(part) for part in (build_dir / "bin" / "opcov-replay", *arguments)],
            env=clean_environment(into or "unused", **{**recording, **environment}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert status is None or done.returncode == status, done.stdout + done.stderr
        done.calls = json.loads(done.stdout)["calls"] if "--json" in arguments else None
        return done

    return run


@pytest.fixture(scope="session")
def every_kind(tmp_path_factory):
    """The folder of a program that made one call of each kind, in a stage of its own, and captured the inputs."""
    folder = tmp_path_factory.mktemp("every_kind")
    source = """
    captured.call_all({**captured.INPUTS, **captured.FAR}, opcov.stage)
    captured.call_odd_ones(opcov.stage)
    """
    assert finished(start(folder, source, OPCOV_OPS="aten::*"), 0).stderr_text.count("opcov: ") == 0
    return folder / "records"
