"""`--signatures 1000000` is the default of OPCOV_MAX_SIGNATURES; CI makes a tenth of it."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("python", "hosts")]

from hosts import host, host_command  # noqa: E402, F401 - fixtures
from programs import records  # noqa: E402, F401 - a fixture


def pytest_addoption(parser):
    parser.addoption("--signatures", type=int, default=100_000, help="how many signatures one program makes")
