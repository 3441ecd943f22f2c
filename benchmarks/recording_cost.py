"""What recording adds to one small call, beside what people use for it today.

    OMP_NUM_THREADS=1 python benchmarks/recording_cost.py [--rounds 15] [--calls 2000] [--json FILE]

The tools take turns in one process, round by round, each against the bare call of the same round, so that a machine
whose speed drifts does not decide; of a round the fastest hundred calls count. Printed: the median added time of a call, its spread (quartiles), and how many
times more than opcov a tool adds. Quote the ratios; single times depend on the machine.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import statistics
import tempfile
import time

import opcov
import torch
from torch.utils._python_dispatch import TorchDispatchMode

BLOCK = 100  # calls that are timed at once


class EmptyMode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class CountingMode(TorchDispatchMode):
    """What people write today: the same signatures, in Python."""

    def __init__(self):
        super().__init__()
        self.calls = collections.Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        key = (func, tuple((a.dtype, tuple(a.shape), a.stride()) if isinstance(a, torch.Tensor) else str(a) for a in args))
        output = func(*args, **(kwargs or {}))
        self.calls[key, tuple(output.shape), output.stride()] += 1
        return output


@contextlib.contextmanager
def paused_opcov(folder):
    with opcov.record(folder):
        opcov.pause()
        yield


@contextlib.contextmanager
def guarding_opcov(folder):
    with opcov.record(folder, ops="aten::relu"):
        torch.relu(torch.ones(1))  # a recording that sees nothing says so on stderr
        yield


@contextlib.contextmanager
def execution_trace(folder):
    observer = torch.profiler.ExecutionTraceObserver().register_callback(f"{folder}/trace.json")
    observer.start()
    try:
        yield
    finally:
        observer.stop()
        observer.unregister_callback()


def tools(folder):
    """Name -> a context in which calls are recorded. opcov first: the others are told as multiples of it."""
    return {
        "opcov, recording": lambda: opcov.record(folder),
        "opcov, a guard": lambda: guarding_opcov(folder),
        "opcov, paused": lambda: paused_opcov(folder),
        "empty TorchDispatchMode": EmptyMode,
        "counting TorchDispatchMode": CountingMode,
        "profiler with record_shapes": lambda: torch.profiler.profile(
            activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True),
        "ExecutionTraceObserver": lambda: execution_trace(folder),
    }


def seconds_a_call(calls):
    x, w = torch.ones(2, 3), torch.ones(4, 3)
    linear = torch.nn.functional.linear
    linear(x, w)  # the first one costs what it costs
    times = []
    for _ in range(calls // BLOCK):
        start = time.perf_counter()
        for _ in range(BLOCK):
            linear(x, w)
        times.append(time.perf_counter() - start)
    return min(times) / BLOCK


def measure(rounds, calls):
    added = collections.defaultdict(list)
    with torch.inference_mode(), tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, context in tools(folder).items():
                bare = seconds_a_call(calls)
                with context():
                    added[name].append(seconds_a_call(calls) - bare)
    return added


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=2000, help="calls in a round")
    parser.add_argument("--json", help="write the figures here too")
    options = parser.parse_args()

    rows = []
    for name, values in measure(options.rounds, options.calls).items():
        low, middle, high = (1e9 * value for value in statistics.quantiles(values, n=4))
        rows.append({"tool": name, "added_ns": middle, "quartiles_ns": [low, high]})
    recording = rows[0]["added_ns"]
    print(f"{'':30}{'added to a call':>16}  {'quartiles':>20}  {'times opcov':>11}")
    for row in rows:
        row["times_opcov"] = row["added_ns"] / recording
        low, high = row["quartiles_ns"]
        print(f"{row['tool']:30}{row['added_ns']:13.0f} ns  {low:9.0f} .. {high:7.0f}  {row['times_opcov']:10.1f}x")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"torch": torch.__version__, "rounds": options.rounds, "calls": options.calls, "rows": rows}, file)


if __name__ == "__main__":
    main()
