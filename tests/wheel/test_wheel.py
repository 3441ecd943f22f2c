"""The wheel, installed into a fresh virtual environment: recorded by OPCOV=1 with no import in the program.

torch is lent to the fresh environment by a .pth file. The .pth file that puts the build tree on the path of the
development environment has no effect there, so what is imported is the wheel's.
"""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

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


def _cached(build_dir, name):
    cache = (build_dir / "CMakeCache.txt").read_text().splitlines()
    return next((line.split("=", 1)[1] for line in cache if line.startswith(name + ":")), None)


@pytest.fixture(scope="module")
def wheel(source_dir, build_dir, run, tmp_path_factory):
    target = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", target]
    for name in ("OPCOV_CUDA", "CMAKE_CUDA_COMPILER"):
        if value := _cached(build_dir, name):
            options += ["--config-settings", f"cmake.define.{name}={value}"]
    run([sys.executable, "-m", "pip", "wheel", *options, source_dir], PYTHONPATH="")
    (path,) = target.iterdir()
    return path


@pytest.fixture(scope="module")
def python(wheel, run, tmp_path_factory):
    fresh = tmp_path_factory.mktemp("fresh")
    run([sys.executable, "-m", "venv", "--without-pip", fresh])
    python = fresh / "bin" / "python"
    install = ["install", "--no-deps", "--no-index", wheel]
    run([sys.executable, "-m", "pip", "--python", python, *install], PYTHONPATH="")
    (site,) = fresh.glob("lib/python3*/site-packages")
    (site / "torch_is_there.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_one_wheel_serves_every_python(wheel):
    assert wheel.name.startswith("opcov-") and "-py3-none-linux_" in wheel.name


def test_wheel_holds_what_the_package_needs(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = ("__init__.py", "_build_info.py", "py.typed", "lib/libopcov.so", "bin/opcov", "bin/opcov-replay")
    for name in [f"opcov/{name}" for name in package] + ["opcov_autoload.py"]:
        assert name in names
    assert any(name.startswith("opcov-") and name.endswith("/licenses/LICENSE") for name in names)
    outside = [name for name in names if not name.startswith(("opcov/", "opcov-")) and name != "opcov_autoload.py"]
    assert outside == []


@pytest.mark.parametrize("binary", ["opcov/lib/libopcov.so", "opcov/bin/opcov", "opcov/bin/opcov-replay"])
def test_nothing_left_to_the_target_machines_luck(wheel, tmp_path, binary):
    zipfile.ZipFile(wheel).extract(binary, tmp_path)
    dynamic = subprocess.run(["readelf", "-dW", tmp_path / binary], capture_output=True, text=True, check=True).stdout
    needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
    system = ("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libdl.so", "libpthread.so", "librt.so")
    torch = ("libtorch", "libc10") if binary != "opcov/bin/opcov" else ()
    assert [name for name in needed if not name.startswith(system + torch)] == []
    assert str(Path(sys.prefix)) not in dynamic, "a path of the build machine stands in the wheel"


def test_recorded_without_an_import(python, run, counts_of, tmp_path):
    app = tmp_path / "app.py"
    app.write_text(APP)
    run([python, app], cwd=tmp_path, PYTHONPATH="", OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records") == {("", "aten.linear.default"): 6}
    summary = run([python.parent / "opcov", "summary", "records"], cwd=tmp_path, PYTHONPATH="")
    assert "linear(f32[2,3], f32[4,3], f32[4]) -> f32[2,4]" in summary.stdout
    replay = run([python.parent / "opcov", "replay", "--records", "records"], cwd=tmp_path, PYTHONPATH="")
    assert replay.stdout.endswith("1 call: 1 replayed\n")


def test_not_recorded_without_opcov(python, run, tmp_path):
    app = tmp_path / "app.py"
    app.write_text(APP)
    done = run([python, app], cwd=tmp_path, PYTHONPATH="")
    assert done.stdout.split() == ["False"], "opcov was imported although nobody asked for it"
    assert os.listdir(tmp_path) == ["app.py"]
