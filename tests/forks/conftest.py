import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("python", "hosts")]

pytest.register_assert_rewrite("processes")

from hosts import host_command, reported  # noqa: E402, F401 - fixtures
from programs import program, records  # noqa: E402, F401 - fixtures


def pytest_addoption(parser):
    parser.addoption("--rounds", type=int, default=1, help="how often each program that forks beside others runs")


def pytest_generate_tests(metafunc):
    if "round_number" in metafunc.fixturenames:
        metafunc.parametrize("round_number", range(metafunc.config.getoption("--rounds")))
