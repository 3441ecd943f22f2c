"""The script of the checks that need a GPU, with those that a CPU can do too."""

import os
import subprocess
import sys
from pathlib import Path

GPU = Path(__file__).parents[1] / "gpu"
ON_A_CPU = (
    "results_are_equal_to_the_bit",
    "counts_are_those_of_the_execution_trace",
    "capture_keeps_results_and_inputs",
    "every_call_is_replayed",
    "made_values_are_those_of_the_cpu",
)


def run_script(build_dir, *checks):
    environment = {**os.environ, "PYTHON": sys.executable, "BUILD": str(build_dir), "CHECK_DEVICE": "cpu"}
    return subprocess.run(
        [GPU / "run.sh", *checks], env={**environment, "CHECK_SECONDS": "300"}, capture_output=True, text=True
    )


def test_checks_pass_on_a_cpu(build_dir):
    done = run_script(build_dir, *ON_A_CPU)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "== 5 of 5 checks passed"


def test_one_that_fails_is_named_and_the_others_run(build_dir):
    done = run_script(build_dir, "no_such_check", ON_A_CPU[0])
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "== 1 of 2 checks passed; failed: no_such_check"


def test_the_document_names_every_check():
    listed = subprocess.run([sys.executable, GPU / "checks.py", "--list"], capture_output=True, text=True, check=True)
    document = (GPU.parents[1] / "docs" / "guide-gpu.md").read_text()
    assert set(ON_A_CPU) < set(listed.stdout.split())
    assert [line.split("`")[1] for line in document.splitlines() if line.startswith("| `")] == listed.stdout.split()
