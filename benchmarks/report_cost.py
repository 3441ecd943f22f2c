"""`opcov report` on the records of a large job, beside the same merge in plain Python.

    python benchmarks/report_cost.py [--opcov build/bin/opcov] [--ranks 10000] [--rounds 3] [--json FILE]

Both read the same files, warm, round by round in turn, and must come to the same figures. Printed: the median seconds
and the peak resident memory of each, and the ratio; then `opcov report` alone on a tenth as many files.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rank_files

HERE = Path(__file__).parent


def run(command):
    """Seconds, peak resident bytes, what it printed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    return seconds, usage.ru_maxrss * 1024, output


def report_command(opcov, folder, report):
    return [opcov, "report", folder / "records", "--inputs", folder / "inputs.jsonl", "-o", report, "--force"]


def figures(report):
    """As plain_merge.py prints them."""
    rows = json.loads(report.read_text())["rows"]
    return len(rows), sum(bool(row["same_structural_signature_ncu_inputs"]) for row in rows), \
        sum(row["calls"] for row in rows)


def measure(options, folder):
    rank_files.write(folder / "job", options.ranks, 100, 1000)
    rank_files.write(folder / "tenth", options.ranks // 10, 100, 1000)
    report = folder / "report.json"
    runs = {"opcov": [], "plain": [], "tenth": []}
    for _ in range(options.rounds + 1):
        runs["opcov"].append(run(report_command(options.opcov, folder / "job", report)))
        ours = figures(report)
        runs["tenth"].append(run(report_command(options.opcov, folder / "tenth", report)))
        plain = [sys.executable, HERE / "plain_merge.py", folder / "job" / "records", folder / "job" / "inputs.jsonl"]
        runs["plain"].append(run(plain))
        theirs = tuple(int(word) for word in runs["plain"][-1][2].split())
        if ours != theirs:
            sys.exit(f"opcov comes to {ours}, the plain merge to {theirs}")
    # The first round fills the page cache.
    return {name: {"seconds": statistics.median(r[0] for r in all[1:]), "resident": max(r[1] for r in all[1:])}
            for name, all in runs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opcov", default="build/bin/opcov")
    parser.add_argument("--ranks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the figures here too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options, Path(folder))
    for name, what in (("opcov", f"opcov report, {options.ranks} files"),
                       ("tenth", f"opcov report, {options.ranks // 10} files"),
                       ("plain", f"plain Python, {options.ranks} files")):
        print(f"{what:32}{found[name]['seconds']:8.2f} s {found[name]['resident'] / 2**20:9.0f} MiB")
    print(f"plain Python takes {found['plain']['seconds'] / found['opcov']['seconds']:.1f} times as long; "
          f"ten times the files take {found['opcov']['seconds'] / found['tenth']['seconds']:.1f} times as long")
    if options.json:
        Path(options.json).write_text(json.dumps({"ranks": options.ranks, "rounds": options.rounds, **found}))


if __name__ == "__main__":
    main()
