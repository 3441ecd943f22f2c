"""A folder as the documents suppose one: a program, its records, inputs that were profiled, and the golden case."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from commands import run_commands
from markdown import blocks

sys.path.append(str(Path(__file__).parents[1] / "python"))
from programs import clean_environment  # noqa: E402


PREPARING = [
    "OPCOV=1 OPCOV_DIR=profiled OPCOV_CAPTURE=all python app.py --size 16 && mv profiled/snapshots .",
    "OPCOV=1 OPCOV_CAPTURE=all python app.py",
    "mkdir main && opcov report opcov-records --inputs snapshots -o main/report.json",
]


@pytest.fixture(scope="session")
def environment(build_dir):
    """Of a person who has opcov and torch installed, and has set nothing of opcov's."""
    settings = clean_environment("unused")
    del settings["OPCOV_DIR"]
    path = [build_dir / "bin", Path(sys.executable).parent, settings["PATH"]]
    settings["PATH"] = os.pathsep.join(map(str, path))
    settings["PYTHONPATH"] = str(build_dir / "python")
    # torchrun: a port of its own for each launch.
    return {**settings, "HEAD": "localhost:0", "JOB": "1", "STAND_IN_LOG": os.devnull}


@pytest.fixture(scope="session")
def prepared(source_dir, build_dir, environment, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    (program,) = (block for block in blocks("docs/tutorial.md") if block.title)
    (folder / program.title).write_text(program.text)
    for command, (status, output) in zip(PREPARING, run_commands(PREPARING, folder, environment)):
        assert status == 0, f"{command}\n{output}"
    golden_case(folder, source_dir / "tests" / "golden")
    for name in ("program", "app", "a_program_that_links_opcov"):
        (folder / name).symlink_to(build_dir / "bin" / "cpp_inference")
    (folder / "build").symlink_to(build_dir)
    (folder / "examples").symlink_to(source_dir / "examples")
    cluster(folder)
    return folder


def golden_case(folder, golden):
    """As `records` and `inputs.jsonl`, and as two runs to compare, of which the later one makes no conversions."""
    shutil.copytree(golden / "records", folder / "records")
    for name in ("inputs.jsonl", "profiled.jsonl", "manifest.jsonl"):
        shutil.copy(golden / "inputs.jsonl", folder / name)
    shutil.copytree(golden / "records", folder / "before")
    (folder / "after").mkdir()
    for path in (golden / "records").iterdir():
        (folder / "after" / path.name).write_text("".join(without_conversions(path.read_text().splitlines())))


def without_conversions(lines):
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
