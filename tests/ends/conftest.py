"""`--kills 200` kills ten times as many programs as CI does."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("python", "hosts")]

from hosts import host, host_command, reported  # noqa: E402, F401 - fixtures
from programs import program, records  # noqa: E402, F401 - fixtures


def pytest_addoption(parser):
    parser.addoption("--kills", type=int, default=20, help="how many programs are killed at a random moment")
