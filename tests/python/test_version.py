"""`opcov --version` names the torch that the recorder beside it was built for."""

import subprocess

import torch


def test_version_names_the_torch_that_is_used_here():
    version = subprocess.run(["opcov", "--version"], check=True, capture_output=True, text=True).stdout
    release = torch.__version__.split("+")[0]
    assert f"\nbuilt with the recorder for torch {release}, " in version
