"""Makes the records and the manifest of a large job, for measuring the offline tool.

    python benchmarks/rank_files.py FOLDER [--ranks 10000] [--signatures 100] [--snapshots 1000]

FOLDER/records gets one record file a rank, as a run leaves them: the ranks of a job make mostly the same calls, a tenth
of each rank's signatures are its own. FOLDER/inputs.jsonl gets snapshots, half of them of calls that are made.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
from pathlib import Path


def tensor(*shape):
    strides, size = [], 1
    for length in reversed(shape):
        strides.insert(0, size)
        size *= length
    return {"dtype": "torch.bfloat16", "shape": list(shape), "stride": strides, "device": "cuda:0"}


def signature(number):
    """The same for the same number, and for no other."""
    rows, inner, outer = 1 + number, 1024 + 64 * (number % 7), 4096 + 64 * (number % 5)
    return {
        "args": [tensor(1, rows, inner), tensor(outer, inner), tensor(outer)],
        "kwargs": {},
        "op": "aten.linear.default",
        "output": tensor(1, rows, outer),
        "stage": ("dit", "vae", "output")[number % 3],
    }


@functools.lru_cache(maxsize=10_000)
def signature_text(number):
    return json.dumps(signature(number), separators=(",", ":"))


def numbers_of(rank, signatures):
    own = signatures // 10
    shared = signatures - own
    return list(range(shared)) + [shared + rank * own + i for i in range(own)]


def line(value):
    return json.dumps(value, separators=(",", ":")) + "\n"


def record(rank, ranks, signatures):
    header = {"record": "header", "format": "opcov-metadata", "version": 1, "rank": rank, "world_size": ranks,
              "local_rank": rank % 8, "pid": 1000 + rank, "host": f"node{rank // 8}", "torch": "2.11.0",
              "ops": ["aten::linear"], "started_at": "2026-01-01T00:00:00.000000Z"}
    text = line(header)
    for id, number in enumerate(numbers_of(rank, signatures)):
        text += f'{{"record":"signature","id":{id},"signature":{signature_text(number)}}}\n'
    text += line({"record": "calls", "calls": {str(id): 1 + (rank + id) % 1000 for id in range(signatures)}})
    return text + line({"record": "end", "unrecorded": 0})


def snapshot(number):
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    return {"input": f"snapshots/{digest[:16]}.pt", "input_sha256": digest, "signature": signature(number)}


def write(folder, ranks, signatures, snapshots):
    records = folder / "records"
    records.mkdir(parents=True)
    for rank in range(ranks):
        (records / f"metadata_rank{rank}_pid{1000 + rank}.jsonl").write_text(record(rank, ranks, signatures))
    made = ranks * signatures
    with (folder / "inputs.jsonl").open("w") as manifest:
        for i in range(snapshots):
            manifest.write(line(snapshot(i // 2 if i % 2 == 0 else made + i)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=10_000)
    parser.add_argument("--signatures", type=int, default=100, help="of each rank")
    parser.add_argument("--snapshots", type=int, default=1000)
    options = parser.parse_args()
    write(options.folder, options.ranks, options.signatures, options.snapshots)


if __name__ == "__main__":
    main()
