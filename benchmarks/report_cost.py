"""`opcov report` on the records of a large job, beside the same merge in plain Python.

    python benchmarks/report_cost.py [--opcov build/bin/opcov] [--files 10000] [--rounds 3] [--json FILE]

All read the same files, warm, round by round in turn, and must come to the same figures. Printed: median seconds,
median seconds of processor time, and peak resident memory; then ratios of seconds within a round, their median and
range: plain Python's time by ours, and the time that ten times the files take; and the same for `opcov merge`, which
reads and writes all. `--files 200` takes seconds.
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
SIGNATURES, SNAPSHOTS = 100, 1000


# As plain_merge.py prints them. In a process of its own, for this one's size is where the peaks of others begin.
FIGURES = """
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
covered = sum(bool(row["same_structural_signature_ncu_inputs"]) for row in rows)
print(len(rows), covered, sum(row["calls"] for row in rows))
"""


def run(command):
    """What was measured, and what it printed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    processor = usage.ru_utime + usage.ru_stime
    return {"seconds": seconds, "processor": processor, "resident": usage.ru_maxrss * 1024}, output


class Job:
    """The files of a job, and the ways to add them up."""

    def __init__(self, opcov, folder, files):
        self.report = folder / "report.json"
        self.report_command = [opcov, "report", folder / "records", "--inputs", folder / "inputs.jsonl",
                               "-o", self.report, "--force"]
        self.merge_command = [opcov, "merge", folder / "records", "-o", folder / "merged.jsonl", "--force"]
        self.plain_command = [sys.executable, HERE / "plain_merge.py", folder / "records", folder / "inputs.jsonl"]
        rank_files.write(folder, files, SIGNATURES, SNAPSHOTS)


def one_round(job, tenth):
    """What was measured, by way."""
    runs = {"report": run(job.report_command), "report of a tenth": run(tenth.report_command),
            "plain Python": run(job.plain_command), "merge": run(job.merge_command),
            "merge of a tenth": run(tenth.merge_command)}
    _, ours = run([sys.executable, "-c", FIGURES, job.report])
    _, theirs = runs["plain Python"]
    if ours != theirs:
        sys.exit(f"opcov comes to {ours}, the plain merge to {theirs}")
    return {way: measured for way, (measured, _) in runs.items()}


def spread(rounds, more, less):
    """Median, least and most over the rounds of how many times longer one way takes than another."""
    ratios = [measured[more]["seconds"] / measured[less]["seconds"] for measured in rounds]
    return statistics.median(ratios), min(ratios), max(ratios)


def measure(options, folder):
    job = Job(options.opcov, folder / "job", options.files)
    tenth = Job(options.opcov, folder / "tenth", options.files // 10)
    # The first round fills the page cache.
    rounds = [one_round(job, tenth) for _ in range(options.rounds + 1)][1:]
    over_rounds = {"seconds": statistics.median, "processor": statistics.median, "resident": max}
    ways = {way: {figure: over([measured[way][figure] for measured in rounds]) for figure, over in over_rounds.items()}
            for way in rounds[0]}
    ratios = {"plain Python by report": spread(rounds, "plain Python", "report"),
              "report by report of a tenth": spread(rounds, "report", "report of a tenth"),
              "merge by merge of a tenth": spread(rounds, "merge", "merge of a tenth")}
    return ways, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opcov", default="build/bin/opcov")
    parser.add_argument("--files", type=int, default=10_000, help="of the job; ten at least")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the figures here too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ways, ratios = measure(options, Path(folder))
    print(f"{options.files} files of {SIGNATURES} signatures, {SNAPSHOTS} inputs, {options.rounds} rounds")
    for way, found in ways.items():
        print(f"  {way:28}{found['seconds']:8.2f} s {found['processor']:8.2f} s {found['resident'] / 2**20:7.0f} MiB")
    for name, (median, least, most) in ratios.items():
        print(f"  {name:28}{median:8.1f} times ({least:.1f} to {most:.1f})")
    if options.json:
        Path(options.json).write_text(json.dumps({"files": options.files, "rounds": options.rounds, "ways": ways,
                                                  "ratios": ratios}))


if __name__ == "__main__":
    main()
