"""`--share 1` runs the whole database; the default is the fixed share that CI runs."""

import sys
from pathlib import Path

import database

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))  # the oracle and the record reader


def pytest_addoption(parser):
    parser.addoption("--share", type=int, default=16, help="every how many operators one is run")


def pytest_generate_tests(metafunc):
    chosen = database.operators(metafunc.config.getoption("--share"))
    if metafunc.function.__name__.startswith("test_grad_mode"):
        chosen = [op for op in chosen if database.is_differentiable(op)]
    metafunc.parametrize("op", chosen, ids=database.label)
