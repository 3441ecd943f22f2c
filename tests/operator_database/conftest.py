"""`--share 1` runs the whole database; the default is the fixed share that CI runs."""

import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))  # the oracle, the record reader, fingerprints

import database  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--share", type=int, default=16, help="every how many operators one is run")


def pytest_terminal_summary(terminalreporter):
    if database.COMPARED:
        terminalreporter.write_line("compared: " + ", ".join(f"{n} {what}" for what, n in database.COMPARED.items()))


def chosen_operators(config):
    return database.operators(config.getoption("--share"))


def pytest_generate_tests(metafunc):
    if "op" not in metafunc.fixturenames:
        return
    chosen = chosen_operators(metafunc.config)
    if metafunc.function.__name__.startswith("test_grad_mode"):
        chosen = [op for op in chosen if database.is_differentiable(op)]
    metafunc.parametrize("op", chosen, ids=database.label)


@pytest.fixture(scope="session", autouse=True)
def without_opcov(request):
    """Results by operator, made before any test places opcov's hooks, which stay for the process."""
    results = {
        database.label(op): database.results_and_gradients(op)
        for op in chosen_operators(request.config)
        if database.is_differentiable(op)
    }
    assert "BackendSelect" not in torch._C._dispatch_dump("aten::linear"), "hooks are in already"
    return results
