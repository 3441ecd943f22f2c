"""What a whole program pays: the start of Python with torch, and the demo's model from end to end.

    python benchmarks/program_cost.py [--rounds 15] [--json FILE]

Runs take turns, each in a process of its own. `import torch` is timed with the package not installed, installed and off,
and with OPCOV=1, and so is the entry point that it calls alone; the model with OPCOV unset (twice, which shows the
noise) and OPCOV=1. Printed: medians, quartiles, and what each adds to the first of its kind, by medians and by the
fastest runs of both.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

# importlib.metadata, which torch imports too, is there before the clock starts: leaving opcov out needs it early.
IMPORT = """
import importlib.metadata, time
start = time.perf_counter()
import torch
print(time.perf_counter() - start)
"""

# The entry point is a file beside the package: without it torch finds nothing to call.
NOT_INSTALLED = """
import importlib.metadata
found = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **wanted: [e for e in found(**wanted) if not e.value.startswith("opcov")]
""" + IMPORT

# What torch does for each package that it finds, alone: a small part of an import that takes a second or two.
ENTRY_POINT = """
import importlib.metadata, time
import torch
(entry,) = [e for e in importlib.metadata.entry_points(group="torch.backends") if e.value.startswith("opcov")]
start = time.perf_counter()
entry.load()()
print(time.perf_counter() - start)
"""

MODEL = """
import sys, time
sys.path.insert(0, "examples/wan_demo")
import torch
from model import ClipSize, WanModel
torch.set_num_threads(1)
model = WanModel.build(torch.device("cpu"))
import opcov
model.generate(ClipSize(96, 160), 2, prompt_seed=0, stage=opcov.stage)
start = time.perf_counter()
model.generate(ClipSize(96, 160), 4, prompt_seed=0, stage=opcov.stage)
print(time.perf_counter() - start)
"""

OFF, ON = {}, {"OPCOV": "1"}
NOT_LOADED = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}

# What, in which unit: [(way, program, environment)]; the first way is what the others are held against.
KINDS = {
    ("import torch", "ms", 1e3): [
        ("without opcov", NOT_INSTALLED, OFF), ("installed, OPCOV unset", IMPORT, OFF),
        ("OPCOV=1", IMPORT, ON)],
    ("the entry point alone", "ms", 1e3): [
        ("OPCOV unset", ENTRY_POINT, NOT_LOADED), ("OPCOV=1", ENTRY_POINT, {**NOT_LOADED, **ON})],
    ("the demo's model", "ms", 1e3): [
        ("OPCOV unset", MODEL, OFF), ("OPCOV unset, again", MODEL, OFF), ("OPCOV=1", MODEL, ON)],
}


def seconds(program, settings):
    # Python reads compiled files where it has written them, as it does for everybody.
    without = ("OPCOV", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(without)}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, text=True, check=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**kept, "OMP_NUM_THREADS": "1", "OPCOV_DIR": folder, **settings})
    return float(done.stdout.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", help="write the figures here too")
    options = parser.parse_args()

    rows = []
    for (what, unit, factor), ways in KINDS.items():
        times = {way[0]: [] for way in ways}
        for _ in range(options.rounds):
            for way, program, settings in ways:
                times[way].append(factor * seconds(program, settings))
        first = next(iter(times.values()))
        print(f"{what + ', ' + unit:34}{'median':>9}  {'quartiles':>18}  {'added':>8}  {'by fastest':>10}")
        for way, values in times.items():
            low, middle, high = statistics.quantiles(values, n=4)
            added, by_fastest = middle - statistics.median(first), min(values) - min(first)
            rows.append({"what": what, "way": way, "unit": unit, "median": middle, "quartiles": [low, high],
                         "added": added, "added_by_fastest": by_fastest})
            print(f"  {way:32}{middle:9.1f}  {low:8.1f} .. {high:6.1f}  {added:8.1f}  {by_fastest:10.1f}")
    if options.json:
        Path(options.json).write_text(json.dumps({"rounds": options.rounds, "rows": rows}), encoding="utf-8")


if __name__ == "__main__":
    main()
