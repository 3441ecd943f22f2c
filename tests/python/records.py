"""A small reader of record files and their sidecars, apart from the project's own, for tests to judge both by."""

from __future__ import annotations

import collections
import json
import pathlib
import struct

from oracle import canonical

_BLOCK = 4096


def read_sidecar(path):
    """Counts by signature id, from the memory-mapped blocks (see csrc/format/counts_layout.h)."""
    data = pathlib.Path(path).read_bytes()
    magic, version, block_bytes, _pid = struct.unpack_from("<8sIIQ", data)
    assert (magic, version, block_bytes) == (b"OPCOVCNT", 1, _BLOCK)
    counts = collections.Counter()
    for start in range(_BLOCK, len(data) - _BLOCK + 1, _BLOCK):
        in_use, _, first_id, *values = struct.unpack_from("<IIQ510Q", data, start)
        if in_use:
            for offset, value in enumerate(values):
                if value:
                    counts[first_id + offset] += value
    return counts


def without_device(value):
    """Tensor objects lose their device; a kwargs object must not be handed in itself."""
    if isinstance(value, list):
        return [without_device(item) for item in value]
    if isinstance(value, dict):
        kept = {key: without_device(item) for key, item in value.items()}
        if "dtype" in kept:
            kept.pop("device", None)
        return kept
    return value


class Record:
    """One record file: its lines by kind, and its calls by canonical signature."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.lines = [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
        self.header = self._of("header")[0]
        self.ended = bool(self._of("end"))
        self.notices = self._of("notice")
        self.raised = self._of("raised")[-1]["ops"] if self._of("raised") else {}
        ranks = self._of("rank")
        self.rank = ranks[-1]["rank"] if ranks else self.header["rank"]
        self.signatures = {line["id"]: line for line in self._of("signature")}
        self.calls = collections.Counter()
        self.by_name = collections.Counter()
        self.returned_input = set()
        returned = collections.defaultdict(list)
        for number, count in self._counts().items():
            line = self.signatures[number]
            key = self._canonical(line["signature"])
            self.calls[key] += count
            self.by_name[(line["signature"]["stage"], line["signature"]["op"])] += count
            returned[key].append(line.get("returns_input", False))
        self.returned_input = {key for key, said in returned.items() if all(said)}

    def _of(self, kind):
        return [line for line in self.lines if line["record"] == kind]

    def _counts(self):
        if not self.ended:
            return read_sidecar(self.path.with_suffix(".counts"))
        counts = {}
        for line in self._of("calls"):
            counts.update({int(number): count for number, count in line["calls"].items()})
        return counts

    @staticmethod
    def _canonical(signature):
        return canonical({
            "args": without_device(signature["args"]),
            "kwargs": {name: without_device(value) for name, value in signature["kwargs"].items()},
            "op": signature["op"],
            "output": without_device(signature["output"]),
            "stage": signature["stage"],
        })


def read_folder(folder):
    """The records of a folder, in the order of their names."""
    return [Record(path) for path in sorted(pathlib.Path(folder).glob("*.jsonl"))]
