"""What all Python tests share: where the build and the sources are, and how a program is run and its records read.

CTest sets TEST_BUILD_DIR, TEST_SOURCE_DIR and TEST_TORCH_DIR; by hand, set TEST_BUILD_DIR and the rest follows.
"""

import importlib.util
import json
import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def source_dir():
    return Path(os.environ.get("TEST_SOURCE_DIR", Path(__file__).parent.parent))


@pytest.fixture(scope="session")
def build_dir(source_dir):
    return Path(os.environ.get("TEST_BUILD_DIR", source_dir / "build"))


@pytest.fixture(scope="session")
def torch_dir():
    return Path(os.environ.get("TEST_TORCH_DIR") or importlib.util.find_spec("torch").submodule_search_locations[0])


def _clean_environment(**extra):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("OPCOV")}
    return {**kept, "OMP_NUM_THREADS": "1", **extra}


@pytest.fixture(scope="session")
def run():
    """run(command, **environment): the finished process; fails the test, output and all, where the status is not 0."""

    def run_command(command, cwd=None, **environment):
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=_clean_environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1500,
        )
        assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run_command


@pytest.fixture(scope="session")
def counts_of():
    """counts_of(folder): {(stage, op): calls} over all record files in the folder, read with json alone."""

    def read(folder):
        totals = {}
        for path in sorted(Path(folder).glob("metadata_*.jsonl")):
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            assert lines[-1]["record"] == "end", f"{path} has no clean end"
            signatures = {line["id"]: line["signature"] for line in lines if line["record"] == "signature"}
            calls = {}
            for line in lines:
                if line["record"] == "calls":
                    calls.update(line["calls"])
            for number, count in calls.items():
                signature = signatures[int(number)]
                key = (signature["stage"], signature["op"])
                totals[key] = totals.get(key, 0) + count
        return totals

    return read
