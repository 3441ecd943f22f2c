"""The Dask job over record files, in local mode: what it merges has the bytes of one `opcov merge` of all."""

import json
import shutil
import sys

import pytest


@pytest.fixture
def records(source_dir, tmp_path):
    """Eight ranks' files, one of them of a program that was killed."""
    folder = tmp_path / "records"
    shutil.copytree(source_dir / "tests" / "golden" / "records", folder)
    last = max(folder.iterdir())
    lines = last.read_text().splitlines(keepends=True)
    assert json.loads(lines[-1])["record"] == "end"
    last.write_text("".join(lines[:-1]))
    return folder


@pytest.mark.parametrize("group", [2, 3, 100])
def test_the_tree_gives_what_one_merge_gives(records, run, source_dir, build_dir, tmp_path, group):
    job = source_dir / "examples" / "dask_merge" / "merge_records.py"
    run([sys.executable, job, records, "-o", tmp_path / "tree.jsonl", "--group", group])
    run([build_dir / "bin" / "opcov", "merge", records, "-o", tmp_path / "once.jsonl"])
    merged = (tmp_path / "tree.jsonl").read_bytes()
    assert merged == (tmp_path / "once.jsonl").read_bytes()
    assert merged.count(b'"record":"header"') == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["once.jsonl", "records", "tree.jsonl"]
