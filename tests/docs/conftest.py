"""A folder as the documents suppose one: a program, its records, inputs that were profiled, and the golden case."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from markdown import blocks


@pytest.fixture(scope="session")
def environment(build_dir):
    """Of a person who has opcov and torch installed, and has set nothing of opcov's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPCOV", "SLURM_", "RANK"))}
    path = [build_dir / "bin", Path(sys.executable).parent, kept["PATH"]]
    # torchrun: a port of its own for each launch.
    return {**kept, "PATH": os.pathsep.join(map(str, path)), "PYTHONPATH": str(build_dir / "python"),
            "OMP_NUM_THREADS": "1", "HEAD": "localhost:0", "JOB": "1", "STAND_IN_LOG": os.devnull}


@pytest.fixture(scope="session")
def prepared(source_dir, build_dir, environment, run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    (program,) = (block for block in blocks("docs/tutorial.md") if block.title)
    (folder / program.title).write_text(program.text)
    record(folder, environment, run, "--size", "16", OPCOV_DIR="small", OPCOV_CAPTURE="all")
    record(folder, environment, run, OPCOV_DIR="opcov-records", OPCOV_CAPTURE="all")
    (folder / "small" / "snapshots").rename(folder / "snapshots")
    golden_case(folder, source_dir / "tests" / "golden")
    (folder / "main").mkdir()
    opcov(folder, environment, run, "report", "opcov-records", "--inputs", "snapshots", "-o", "main/report.json")
    for name in ("program", "app", "a_program_that_links_opcov"):
        (folder / name).symlink_to(build_dir / "bin" / "cpp_inference")
    (folder / "build").symlink_to(build_dir)
    (folder / "examples").symlink_to(source_dir / "examples")
    cluster(folder)
    return folder


def record(folder, environment, run, *arguments, **settings):
    run([sys.executable, "app.py", *arguments], cwd=folder, OPCOV="1", PATH=environment["PATH"],
        PYTHONPATH=environment["PYTHONPATH"], **settings)


def opcov(folder, environment, run, *arguments):
    run(["opcov", *arguments], cwd=folder, PATH=environment["PATH"])


def golden_case(folder, golden):
    """As `records` and `inputs.jsonl`, and as two runs to compare, of which the later one lacks a signature."""
    shutil.copytree(golden / "records", folder / "records")
    for name in ("inputs.jsonl", "profiled.jsonl", "manifest.jsonl"):
        shutil.copy(golden / "inputs.jsonl", folder / name)
    shutil.copytree(golden / "records", folder / "before")
    (folder / "after").mkdir()
    for path in (golden / "records").iterdir():
        (folder / "after" / path.name).write_text("".join(without_dtype_conversions(path.read_text().splitlines())))


def without_dtype_conversions(lines):
    left_out = set()
    for line in map(json.loads, lines):
        if line["record"] == "signature" and line["signature"]["op"] == "aten.to.dtype":
            left_out.add(str(line["id"]))
            continue
        if line["record"] == "calls":
            line["calls"] = {number: calls for number, calls in line["calls"].items() if number not in left_out}
        yield json.dumps(line) + "\n"


def cluster(folder):
    """One node of a cluster of one, with a shared disk; srun runs a single task."""
    (folder / "shared" / "job").mkdir(parents=True)
    shutil.copytree(folder / "records", folder / "shared" / "records")
    (folder / "node").mkdir()
    (folder / "bin").mkdir()
    srun = folder / "bin" / "srun"
    srun.write_text('#!/bin/sh\nwhile case $1 in --*) ;; *) false ;; esac; do shift; done\n'
                    'SLURM_NODEID=0 SLURM_PROCID=0 exec "$@"\n')
    srun.chmod(0o755)


@pytest.fixture
def folder(prepared, tmp_path):
    """The prepared folder, of one's own."""
    return shutil.copytree(prepared, tmp_path / "folder", symlinks=True)
