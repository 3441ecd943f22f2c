"""`python -m beside.run alone|recorded|paused FOLDER` prints what became of each situation in a process of that kind.

alone: opcov is never loaded; the oracles are asked. recorded: each call is recorded, its preparation too. paused:
opcov's hooks are in place, and the recording is paused.
"""

import contextlib
import json
import sys
import traceback
from collections import Counter
from pathlib import Path

import torch
from fingerprint import fingerprint
from oracle import SignatureMode
from profiled import profiled
from records import records_in

from beside import SITUATIONS

EVERYTHING = "*"

# Inductor of torch 2.9 calls them to name ranges for the profiler, which does not list them.
RANGES = "profiler._record_function_"


class Alone:
    """Without opcov."""

    def recording(self, folder):
        return contextlib.nullcontext()

    def observe(self, situation, call, folder, in_inference_mode):
        result = call()
        seen = {}
        if situation.counts is None and not situation.traces:
            seen["counts"] = profiled(call)[1]
        if in_inference_mode and situation.mode and not situation.traces:
            with SignatureMode((EVERYTHING,)) as mode:
                call()
            seen["signatures"] = mode.calls
        return result, seen


class Recorded:
    def recording(self, folder):
        import opcov

        return opcov.record(folder, ops=EVERYTHING)

    def observe(self, situation, call, folder, in_inference_mode):
        with self.recording(folder):
            result = call()
        signatures, counts = Counter(), Counter()
        for record in records_in(folder):
            signatures += record.calls()
            counts += Counter({op: calls for (_, op), calls in record.by_op().items() if not op.startswith(RANGES)})
        raised = [record.raised for record in records_in(folder)]
        return result, {"counts": counts, "signatures": signatures, "raised": raised}


class Paused:
    def recording(self, folder):
        import opcov

        opcov.start(folder, ops=EVERYTHING)
        opcov.pause()
        return contextlib.nullcontext()

    def observe(self, situation, call, folder, in_inference_mode):
        return call(), {}


def observed(kind, situation, folder):
    torch.manual_seed(0)
    found = {}
    modes = {"grad": torch.enable_grad} | ({"inference": torch.inference_mode} if situation.inference else {})
    for name, mode in modes.items():
        with mode():
            with kind.recording(folder / "preparation" / name):
                call = situation.prepare()
                call()  # what happens only once happens here
            result, seen = kind.observe(situation, call, folder / name, name == "inference")
            found[name] = {"result": fingerprint(result), **seen}
    return found


def main(kind, folder):
    found = {}
    for name, situation in SITUATIONS.items():
        try:
            found[name] = observed(kind, situation, Path(folder) / name)
        except Exception:  # noqa: BLE001 - the situation's test shows it
            found[name] = {"error": traceback.format_exc()}
    print(json.dumps(found))


if __name__ == "__main__":
    main({"alone": Alone, "recorded": Recorded, "paused": Paused}[sys.argv[1]](), sys.argv[2])
