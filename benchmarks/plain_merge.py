"""The peer of `opcov report`: the same merge in a page of plain Python with the standard json module.

    python benchmarks/plain_merge.py RECORDS MANIFEST

What somebody would write for the records of their own job. It trusts its input, and leaves out the report's texts and
the digests of the record files. Prints the number of rows, of covered rows, and of calls.
"""

import collections
import hashlib
import json
import sys
from pathlib import Path


def without_devices(value):
    if isinstance(value, dict):
        return {key: without_devices(item) for key, item in value.items() if key != "device" or "dtype" not in value}
    if isinstance(value, list):
        return [without_devices(item) for item in value]
    return value


def digest(signature):
    text = json.dumps(without_devices(signature), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def merge(records):
    rows = collections.defaultdict(collections.Counter)  # digest -> rank -> calls
    for path in sorted(Path(records).glob("*.jsonl")):
        digests, calls, rank = {}, {}, 0
        with open(path, encoding="utf-8") as lines:
            for text in lines:
                line = json.loads(text)
                if line["record"] == "header":
                    rank = line["rank"]
                elif line["record"] == "signature":
                    digests[str(line["id"])] = digest(line["signature"])
                elif line["record"] == "calls":
                    calls.update(line["calls"])
        for id, count in calls.items():
            rows[digests[id]][rank] += count
    return rows


def main():
    records, manifest = sys.argv[1:]
    rows = merge(records)
    with open(manifest, encoding="utf-8") as lines:
        profiled = {digest(json.loads(line)["signature"]) for line in lines}
    print(len(rows), sum(key in profiled for key in rows), sum(sum(ranks.values()) for ranks in rows.values()))


if __name__ == "__main__":
    main()
