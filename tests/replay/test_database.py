"""Every signature that PyTorch's operator database calls replays from made inputs, or is named in the document."""

import re
from collections import Counter

import pytest
from database_calls import record_database
from records import only_record


@pytest.fixture(scope="module")
def database(replay, tmp_path_factory, request):
    """The record of every so many operators of the database, and its replays, made by one process."""
    folder = tmp_path_factory.mktemp("database")
    record_database(folder, request.config.getoption("--share"))
    return only_record(folder), replay("--records", folder, "--json", "--warm-up", 0, status=None).calls


@pytest.fixture(scope="module")
def documented(source_dir):
    text = (source_dir / "docs/operator-database.md").read_text()
    return set(re.findall(r"^\| `(aten\.[^`]+)` \|", text, re.MULTILINE))


def test_all_that_is_not_documented_replays(database, documented):
    record, replays = database
    called = {call["op"] for call in replays}
    failed = {call["op"]: call["reason"] for call in replays if call["status"] != "replayed"}
    assert failed.keys() == documented & called, failed
    assert set(Counter(call["status"] for call in replays)) <= {"replayed", "refused"}


def test_each_signature_was_replayed_once(database):
    record, replays = database
    assert len(replays) == len(record.calls()) == len({call["signature_sha256"] for call in replays})
