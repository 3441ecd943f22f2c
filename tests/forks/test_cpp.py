"""A C++ program's processes: each has a file of its own with its own calls, whatever other threads do at the fork."""

import pytest
from processes import assert_all_recorded, assert_all_within_a_recording_recorded, recorded, told
from records import records_in
from watchdog import run_watched

OPS = "aten::linear,aten::select.int"


@pytest.fixture
def forking(host_command, tmp_path):
    return lambda way: run_watched(host_command("forking", way), tmp_path, OPCOV="1", OPCOV_OPS=OPS)


@pytest.mark.parametrize(
    "way, processes",
    {
        "once": 2,
        "_exit": 2,
        "for nothing": 1,
        "before the first call": 2,
        "generations": 4,
        "while paused": 2,
        "after a stop": 2,
        "a child with threads": 2,
    }.items(),
)
def test_a_file_for_each_process_that_calls(forking, records, reported, way, processes):
    made = assert_all_recorded(forking(way), records, reported)
    assert len(made) == len(records_in(records)) == processes


def test_a_child_that_leaves_at_once_has_its_counts_in_the_sidecar(forking, records):
    made = told(forking("_exit").stdout_text)
    assert {made[record.header["pid"]]: record.has_end for record in records_in(records)} == {3: True, 2: False}


def test_beside_calls_and_flushes(forking, records, reported, round_number):
    assert len(assert_all_recorded(forking("beside calls and flushes"), records, reported)) == 11


def test_beside_starts_and_stops(forking, records, reported, round_number):
    assert_all_within_a_recording_recorded(forking("beside starts and stops"), records, reported)


def test_other_programs(forking, records, reported):
    done = forking("other programs")
    made = told(done.stdout_text)
    assert len(made) == len(records_in(records)) == 1 and recorded(records) == made
    assert done.stderr_text == ""
