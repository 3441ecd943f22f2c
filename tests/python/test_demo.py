"""The demo, as `make demo` runs it: three stages, four ranks, covered and uncovered rows."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from oracle import canonical
from programs import clean_environment
from records import records_in

RUN = Path(__file__).parents[2] / "examples" / "wan_demo" / "run.sh"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    out = tmp_path_factory.mktemp("demo")
    environment = clean_environment("unused")
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    done = subprocess.run([RUN, out], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return out, done


def test_report_has_stages_ranks_and_both_kinds_of_rows(demo):
    report = json.loads((demo[0] / "report.json").read_text())
    assert {stage["stage"] for stage in report["stages"]} == {"dit", "vae", "output"}
    ranks = {(row["signature"]["stage"], rank) for row in report["rows"] for rank in row["calls_by_rank"]}
    assert ranks == {(stage, rank) for stage in ("dit", "vae") for rank in "0123"} | {("output", "0")}
    covered = {stage["stage"]: stage["signatures_with_prior_ncu_input"] for stage in report["stages"]}
    distinct = {stage["stage"]: stage["distinct_signatures"] for stage in report["stages"]}
    assert 0 < covered["dit"] < distinct["dit"]


def test_the_page_is_there(demo):
    report = json.loads((demo[0] / "report.json").read_text())
    page = (demo[0] / "report.html").read_text()
    assert page.startswith("<!doctype html>") and all(row["signature_sha256"] in page for row in report["rows"])


def test_every_rank_ended_cleanly_with_the_same_number_of_calls(demo):
    found = records_in(demo[0] / "records")
    assert [record.rank for record in found] == [(rank, 4) for rank in range(4)]
    assert all(record.has_end for record in found)
    work = [{key: calls for key, calls in record.by_op().items() if key[0] != "output"} for record in found]
    assert work == [work[0]] * 4


def test_manifest_tells_the_truth_about_its_files(demo):
    folder = demo[0] / "profiled"
    lines = [json.loads(line) for line in (folder / "inputs.jsonl").read_text().splitlines()]
    for line in lines:
        path = folder / line["input"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == line["input_sha256"]
        assert hashlib.sha256(canonical(line["signature"]).encode()).hexdigest()[:16] in path.name
    assert len(lines) == len({line["input"] for line in lines})


def test_captured_inputs_cover_every_row_that_can_be_captured(demo):
    before, after = (
        {row["signature_sha256"]: row for row in json.loads((demo[0] / name).read_text())["rows"]}
        for name in ("report.json", "report-with-snapshots.json")
    )
    assert list(before) == list(after)
    no_kernel = set.union(*(record.returns_input() for record in records_in(demo[0] / "records")))
    capturable = {digest for digest, row in before.items() if canonical(row["signature"]) not in no_kernel}
    assert {digest for digest, row in after.items() if row["same_structural_signature_ncu_inputs"]} == capturable
    missing = {digest for digest in capturable if not before[digest]["same_structural_signature_ncu_inputs"]}
    assert {path.stem[-16:] for path in (demo[0] / "snapshots").iterdir()} == {digest[:16] for digest in missing}


def test_every_captured_call_is_replayed(demo):
    snapshots = list((demo[0] / "snapshots").iterdir())
    assert f"\n{len(snapshots)} calls: {len(snapshots)} replayed\n" in demo[1].stdout
    assert all(f" {path}: replayed on " in demo[1].stdout for path in snapshots)


def test_the_command_to_profile_is_shown(demo):
    assert "\nncu --set full --target-processes application-only " in demo[1].stdout


def test_summary_is_printed(demo):
    _, done = demo
    assert "Largest uncovered signatures" in done.stdout
    assert "opcov:" not in done.stderr
