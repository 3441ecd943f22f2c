"""Merges the record files of a job to one, as a tree of `opcov merge` that runs on Dask's workers.

    python merge_records.py RECORDS -o merged.jsonl [--scheduler tcp://HOST:8786] [--group 100]

RECORDS is a folder that all workers see, as they must see the output's. Without --scheduler the tree runs in threads of
this process. Merging is associative: the result has the bytes of merging all files at once.
"""

import argparse
import contextlib
import subprocess
import tempfile
from pathlib import Path

import dask


@dask.delayed
def merge(inputs, output):
    # --force: a task that Dask runs once more, after it lost a worker, writes the same again.
    subprocess.run(["opcov", "merge", *inputs, "-o", output, "--force"], check=True)
    return output


def merge_tree(files, folder, group):
    """The task that gives the name of one file with the records of all."""
    level = 0
    while True:
        starts = range(0, len(files), group)
        files = [merge(files[start:start + group], f"{folder}/{level}_{start}.jsonl") for start in starts]
        if len(files) == 1:
            return files[0]
        level += 1


def connected(scheduler):
    if scheduler is None:
        return contextlib.nullcontext()
    from dask.distributed import Client

    return Client(scheduler)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=Path, help="the folder of the record files")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    parser.add_argument("--group", type=int, default=100, help="files that one task merges, two at least")
    options = parser.parse_args()
    if options.group < 2:
        parser.error("--group: a tree needs two files at least in each group")
    files = sorted(str(path) for path in options.records.glob("metadata_*.jsonl"))
    if not files:
        parser.error(f"{options.records} holds no record files (metadata_*.jsonl)")
    if options.output.exists():
        parser.error(f"{options.output} exists; give another name")
    with tempfile.TemporaryDirectory(dir=options.output.parent) as folder, connected(options.scheduler) as client:
        root = merge_tree(files, folder, options.group)
        made = client.compute(root).result() if client else root.compute(scheduler="threads")
        Path(made).rename(options.output)


if __name__ == "__main__":
    main()
