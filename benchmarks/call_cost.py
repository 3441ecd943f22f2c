"""What opcov adds to one call: runs the C++ benchmark beside this file and prints its differences.

    OMP_NUM_THREADS=1 python benchmarks/call_cost.py [--program build/bin/opcov_call_cost] [--json FILE]

Every way of making a call (without opcov's hook, with an empty boxed kernel in its place, paused, guarded, recorded)
is timed in the same process, in random order, many times over. Printed: the median of a call, what the way adds to the
bare call by medians and its spread (quartiles of the way's times less the bare call's median), and what it adds by the
fastest times of both: whatever else a machine does only makes calls slower. "x2" are two threads on one signature, and the
processor time of a call.
"""

from __future__ import annotations

import argparse
import collections
import json
import statistics
import subprocess
import tempfile


def measured(program, repetitions, seconds):
    """Operator -> way -> nanoseconds of a call, one for each repetition."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run(
            [program, "--benchmark_enable_random_interleaving=true", f"--benchmark_repetitions={repetitions}",
             f"--benchmark_min_time={seconds}", f"--benchmark_out={out.name}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = json.load(open(out.name, encoding="utf-8"))["benchmarks"]
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for run in runs:
        if run["run_type"] == "iteration":
            op, way = run["name"].split("/")[:2]
            if run["threads"] > 1:
                op = f"{op} x{run['threads']}"
            times[op][way].append(run["cpu_time"])
    return times


def rows_of(times):
    for op, ways in times.items():
        bare, fastest = statistics.median(ways["bare"]), min(ways["bare"])
        for way, values in ways.items():
            low, middle, high = statistics.quantiles(values, n=4)
            yield {"op": op, "way": way, "call_ns": middle, "added_ns": middle - bare,
                   "quartiles_ns": [low - bare, high - bare], "added_by_fastest_ns": min(values) - fastest}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bin/opcov_call_cost")
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.002, help="of each repetition")
    parser.add_argument("--json", help="write the figures here too")
    options = parser.parse_args()

    rows = list(rows_of(measured(options.program, options.repetitions, options.seconds)))
    rows.sort(key=lambda row: (row["op"], row["call_ns"]))
    print(f"{'operator':18}{'way':14}{'a call':>10}  {'added':>10}  {'quartiles':>18}  {'by fastest':>11}")
    for row in rows:
        low, high = row["quartiles_ns"]
        print(f"{row['op']:18}{row['way']:14}{row['call_ns']:7.0f} ns  {row['added_ns']:7.1f} ns  "
              f"{low:7.1f} .. {high:6.1f}  {row['added_by_fastest_ns']:8.1f} ns")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"repetitions": options.repetitions, "rows": rows}, file)


if __name__ == "__main__":
    main()
