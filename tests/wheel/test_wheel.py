"""The wheel, installed into a fresh virtual environment: recorded by OPCOV=1 with no import in the program."""

import email
import importlib.metadata
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def test_one_wheel_serves_every_python(wheel):
    assert wheel.name.startswith("opcov-") and "-py3-none-linux_" in wheel.name


def test_wheel_asks_for_the_torch_that_it_is_built_for(wheel):
    major, minor = importlib.metadata.version("torch").split(".")[:2]
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        required = email.message_from_bytes(archive.read(metadata)).get_all("Requires-Dist")
        build_info = archive.read("opcov/_build_info.py").decode()
    assert required == [f"torch=={major}.{minor}.*"]
    assert build_info == f'TORCH_VERSION = "{major}.{minor}"\n'


def test_wheel_holds_what_the_package_needs(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = ("__init__.py", "_build_info.py", "py.typed", "lib/libopcov.so", "bin/opcov", "bin/opcov-replay")
    modules = ["opcov_autoload.py", "opcov_command.py"]
    for name in [f"opcov/{name}" for name in package] + modules:
        assert name in names
    assert any(name.startswith("opcov-") and name.endswith("/licenses/LICENSE") for name in names)
    outside = [name for name in names if not name.startswith(("opcov/", "opcov-"))]
    assert sorted(outside) == modules


@pytest.mark.parametrize("binary", ["opcov/lib/libopcov.so", "opcov/bin/opcov", "opcov/bin/opcov-replay"])
def test_nothing_left_to_the_target_machines_luck(wheel, tmp_path, binary):
    zipfile.ZipFile(wheel).extract(binary, tmp_path)
    dynamic = subprocess.run(["readelf", "-dW", tmp_path / binary], capture_output=True, text=True, check=True).stdout
    needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
    system = ("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libdl.so", "libpthread.so", "librt.so")
    torch = ("libtorch", "libc10") if binary != "opcov/bin/opcov" else ()
    assert [name for name in needed if not name.startswith(system + torch)] == []
    assert str(Path(sys.prefix)) not in dynamic, "a path of the build machine stands in the wheel"


def test_recorded_without_an_import(python, run, counts_of, app, tmp_path):
    run([python, app], cwd=tmp_path, PYTHONPATH="", OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records") == {("", "aten.linear.default"): 6}
    summary = run([python.parent / "opcov", "summary", "records"], cwd=tmp_path, PYTHONPATH="")
    assert "linear(f32[2,3], f32[4,3], f32[4]) -> f32[2,4]" in summary.stdout
    replay = run([python.parent / "opcov", "replay", "--records", "records"], cwd=tmp_path, PYTHONPATH="")
    assert replay.stdout.endswith("1 call: 1 replayed\n")


def test_not_recorded_without_opcov(python, run, app, tmp_path):
    done = run([python, app], cwd=tmp_path, PYTHONPATH="")
    assert done.stdout.split() == ["False"], "opcov was imported although nobody asked for it"
    assert os.listdir(tmp_path) == ["app.py"]
