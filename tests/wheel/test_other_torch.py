"""The wheel beside another version of torch than it was built for: one line, and the program runs as ever.

Without --other-torch the torch is the same, and the wheel is told that it was built for another: what tells the two
apart never gets as far as loading the library.
"""

import importlib.metadata
import subprocess
import sysconfig
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def other(request, environment):
    """A Python whose opcov was built for another torch than it has, and the two versions."""
    site_packages = request.config.getoption("--other-torch")
    python = environment(site_packages or sysconfig.get_path("purelib"))
    (build_info,) = python.parent.parent.glob("lib/python3*/site-packages/opcov/_build_info.py")
    if not site_packages:
        # Of another length: in the second in which pip compiled the file, Python tells the two apart by nothing else.
        told = 'TORCH_VERSION = "1.9"\n'
        assert len(told) != build_info.stat().st_size
        build_info.write_text(told)
    built_for = build_info.read_text().split('"')[1]
    (installed,) = importlib.metadata.distributions(name="torch", path=[site_packages or sysconfig.get_path("purelib")])
    return python, f"this opcov was built for torch {built_for}, but torch {installed.version}"


def _run(command, cwd, **environment):
    return subprocess.run(command, cwd=cwd, env={"OMP_NUM_THREADS": "1", **environment}, capture_output=True, text=True)


def test_program_is_not_harmed(other, app):
    python, mismatch = other
    done = _run([python, app], app.parent, OPCOV="1", OPCOV_DIR="records")
    assert (done.returncode, done.stdout) == (0, "False\n"), "opcov stays imported, and is of no use"
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"opcov: {mismatch}") and line.endswith("; recording stays off")
    assert [path.name for path in app.parent.iterdir()] == [app.name]


@pytest.mark.parametrize("first", ["", "import torch; "])
def test_import_says_what_to_do(other, tmp_path, first):
    python, mismatch = other
    done = _run([python, "-c", first + "import opcov"], tmp_path)
    error = done.stderr.splitlines()[-1]
    assert error.startswith(f"ImportError: {mismatch}") and "built for this torch" in error
    assert list(tmp_path.iterdir()) == []


def test_records_are_read_beside_any_torch(other, source_dir, tmp_path):
    python, _ = other
    done = _run([Path(python).parent / "opcov", "verify", source_dir / "tests" / "golden" / "records"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and ": ok: " in done.stdout


def test_replay_says_it_too(other, tmp_path):
    python, mismatch = other
    done = _run([Path(python).parent / "opcov", "replay", "--records", "records"], tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"opcov: {mismatch}")
