"""A second reader of record files, after docs/record-format.md, so that the project's own has one to agree with."""

import json
import struct
from collections import Counter
from pathlib import Path

from oracle import canonical


class Record:
    """One record file of one segment."""

    def __init__(self, path):
        self.path = Path(path)
        self.lines = [json.loads(line) for line in self.path.read_text().splitlines()]
        self.header = self.lines[0]
        assert (self.header["record"], self.header["format"], self.header["version"]) == ("header", "opcov-metadata", 1)
        self.has_end = self.lines[-1]["record"] == "end"

    def of_kind(self, kind):
        return [line for line in self.lines if line["record"] == kind]

    @property
    def rank(self):
        line = (self.of_kind("rank") or [self.header])[-1]
        return line["rank"], line["world_size"]

    @property
    def notices(self):
        return {line["kind"]: line for line in self.of_kind("notice")}

    @property
    def raised(self):
        ops = {}
        for line in self.of_kind("raised"):
            ops.update(line["ops"])
        return ops

    def counts(self):
        """Calls by id: of the `calls` lines in a file that ended well, else of the sidecar."""
        if not self.has_end:
            return sidecar_counts(self.path.with_suffix(".counts"))
        counts = Counter()
        for line in self.of_kind("calls"):
            counts.update({int(number): calls - counts[int(number)] for number, calls in line["calls"].items()})
        return counts

    def calls(self):
        """Calls by canonical signature, the device left out."""
        counts, calls = self.counts(), Counter()
        for line in self.of_kind("signature"):
            calls[canonical(without_device(line["signature"]))] += counts[line["id"]]
        return +calls

    def returns_input(self):
        """Signatures whose every call gave an input back."""
        counts, others, given_back = self.counts(), set(), set()
        for line in self.of_kind("signature"):
            if counts[line["id"]]:
                text = canonical(without_device(line["signature"]))
                (given_back if line.get("returns_input") else others).add(text)
        return given_back - others

    def by_op(self):
        """Calls by (stage, operator overload)."""
        totals = Counter()
        for text, calls in self.calls().items():
            signature = json.loads(text)
            totals[signature["stage"], signature["op"]] += calls
        return dict(totals)


def sidecar_counts(path):
    """After csrc/format/counts_layout.h: a header block, then blocks of 510 counters each."""
    data = Path(path).read_bytes()
    magic, version, block_bytes = struct.unpack_from("<8sII", data)
    assert (magic, version, block_bytes) == (b"OPCOVCNT", 1, 4096)
    counts = Counter()
    for offset in range(block_bytes, len(data) - block_bytes + 1, block_bytes):
        in_use, _, first_id, *values = struct.unpack_from("<IIQ510Q", data, offset)
        if in_use:
            counts.update({first_id + i: value for i, value in enumerate(values) if value})
    return counts


def without_device(signature):
    return {
        **signature,
        "args": _no_device(signature["args"]),
        "kwargs": {name: _no_device(value) for name, value in signature["kwargs"].items()},
        "output": _no_device(signature["output"]),
    }


def _no_device(value):
    if isinstance(value, list):
        return [_no_device(item) for item in value]
    if isinstance(value, dict):
        is_tensor = "dtype" in value and ("shape" in value or "layout" in value)
        return {key: _no_device(item) for key, item in value.items() if not (is_tensor and key == "device")}
    return value


def records_in(folder):
    return [Record(path) for path in sorted(Path(folder).glob("metadata_*.jsonl"))]


def only_record(folder):
    (record,) = records_in(folder)
    return record
