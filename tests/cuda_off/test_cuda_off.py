"""-DOPCOV_CUDA=OFF builds where no CUDA toolkit can be found, and what it builds records."""

import os
import shutil
import sys

import pytest


def _without_nvcc():
    """PATH without the folders that hold an nvcc."""
    return os.pathsep.join(d for d in os.environ["PATH"].split(os.pathsep) if not os.path.exists(d + "/nvcc"))


@pytest.fixture(scope="module")
def build(source_dir, torch_dir, run, tmp_path_factory):
    path = _without_nvcc()
    assert shutil.which("nvcc", path=path) is None
    hidden = {"PATH": path, "CUDA_HOME": "/nonexistent", "CUDA_PATH": "/nonexistent", "CUDACXX": "/nonexistent/nvcc"}
    build = tmp_path_factory.mktemp("cuda_off")
    options = ["-DOPCOV_CUDA=OFF", "-DCMAKE_BUILD_TYPE=Release", "-DOPCOV_TESTS=OFF"]
    # CMake looks into the toolkit's default folder unasked.
    options += [f"-DOPCOV_TORCH_DIR={torch_dir}", "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON"]
    run(["cmake", "-S", source_dir, "-B", build, "-G", "Ninja", *options], **hidden)
    run(["cmake", "--build", build, "-j", "2"], **hidden)
    return build


def test_it_was_built_without_a_cuda_compiler(build):
    assert "CMAKE_CUDA_COMPILER:" not in (build / "CMakeCache.txt").read_text()


def test_cpp_program_is_recorded(build, run, counts_of, tmp_path):
    run([build / "bin" / "cpp_inference"], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records")[("dit", "aten.linear.default")] == 30
    run([build / "bin" / "opcov", "verify", "records"], cwd=tmp_path)


def test_python_program_is_recorded(build, run, counts_of, tmp_path):
    app = "import torch\nwith torch.no_grad(): torch.nn.Linear(3, 4)(torch.ones(2, 3))\n"
    run([sys.executable, "-c", app], cwd=tmp_path, PYTHONPATH=str(build / "python"), OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records") == {("", "aten.linear.default"): 1}


def test_ranges_for_profilers_are_refused(build, run, tmp_path):
    done = run([build / "bin" / "cpp_inference"], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records", OPCOV_NVTX="1")
    assert "OPCOV_NVTX=1: this opcov was built without CUDA" in done.stderr and "recording stays off" in done.stderr
    assert not (tmp_path / "records").exists()
