"""The wheel, and environments that it is installed into.

torch is lent to such an environment by a .pth file. The .pth file that puts the build tree on the path of the
development environment has no effect there, so what is imported is the wheel's.
"""

import sys
import sysconfig

import pytest

APP = """
import sys
import torch
with torch.inference_mode():
    layer = torch.nn.Linear(3, 4)
    for _ in range(6):
        layer(torch.ones(2, 3))
print("opcov" in sys.modules)
"""


def pytest_addoption(parser):
    parser.addoption("--other-torch", metavar="SITE_PACKAGES", help="where another minor version of torch is installed")


def _cached(build_dir, name):
    cache = (build_dir / "CMakeCache.txt").read_text().splitlines()
    return next((line.split("=", 1)[1] for line in cache if line.startswith(name + ":")), None)


@pytest.fixture(scope="session")
def wheel(source_dir, build_dir, run, tmp_path_factory):
    target = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", target]
    # With the compiler of the tree under test, under the name by which ccache knows what it compiled.
    for name in ("OPCOV_CUDA", "CMAKE_CUDA_COMPILER", "CMAKE_CXX_COMPILER"):
        if value := _cached(build_dir, name):
            options += ["--config-settings", f"cmake.define.{name}={value}"]
    run([sys.executable, "-m", "pip", "wheel", *options, source_dir], PYTHONPATH="")
    (path,) = target.iterdir()
    return path


@pytest.fixture(scope="session")
def environment(wheel, run, tmp_path_factory):
    """environment(site_packages): the Python of a fresh environment with the wheel, beside the torch that is there."""

    def make(site_packages):
        fresh = tmp_path_factory.mktemp("fresh")
        run([sys.executable, "-m", "venv", "--without-pip", fresh])
        python = fresh / "bin" / "python"
        install = ["install", "--no-deps", "--no-index", wheel]
        run([sys.executable, "-m", "pip", "--python", python, *install], PYTHONPATH="")
        (site,) = fresh.glob("lib/python3*/site-packages")
        (site / "torch_is_there.pth").write_text(f"{site_packages}\n")
        return python

    return make


@pytest.fixture(scope="session")
def python(environment):
    return environment(sysconfig.get_path("purelib"))


@pytest.fixture
def app(tmp_path):
    path = tmp_path / "app.py"
    path.write_text(APP)
    return path
