"""Programs in processes of their own, with opcov as the environment of the test says."""

import os
import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import os, sys
import torch
torch.set_grad_enabled(False)
layer = torch.nn.Linear(3, 4)
def work(n):
    for _ in range(n):
        layer(torch.ones(2, 3))
"""


def clean_environment(folder, **settings):
    """This process's environment without what could switch opcov or tell a rank, records going to `folder`."""
    launchers = ("OPCOV", "RANK", "WORLD_SIZE", "LOCAL_RANK", "OMPI_", "PMI_", "SLURM_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(launchers)}
    return {**kept, "OMP_NUM_THREADS": "1", "OPCOV_DIR": str(folder), **settings}


def python_command(source):
    """A Python program that has torch, a `layer` and `work(n)`, which makes n calls of aten.linear.default."""
    return [sys.executable, "-c", PRELUDE + textwrap.dedent(source)]


def start_command(command, folder, **settings):
    """The running command, in `folder`, recording into `folder`/records."""
    return subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env=clean_environment(folder / "records", **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def start_program(source, folder, **settings):
    return start_command(python_command(source), folder, **settings)


def finished(process, status):
    """The ended process, with .stdout_text and .stderr_text."""
    process.stdout_text, process.stderr_text = process.communicate(timeout=300)
    assert process.returncode == status, process.stderr_text
    return process


@pytest.fixture
def program(tmp_path):
    """program(source, **environment): the ended program with .returncode, .stdout, .stderr; records in `records`."""

    def run(source, status=0, **settings):
        return finished(start_program(source, tmp_path, **settings), status)

    return run


@pytest.fixture
def records(tmp_path):
    """The folder into which programs of this test record."""
    return tmp_path / "records"
