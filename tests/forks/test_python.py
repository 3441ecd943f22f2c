"""Python's ways to make processes: each has a file of its own with its own calls, whatever threads do meanwhile."""

import sys
from pathlib import Path

import pytest
from processes import assert_all_recorded, assert_all_within_a_recording_recorded
from records import records_in
from watchdog import run_watched

PROGRAM = Path(__file__).parents[1] / "hosts" / "forking.py"
OPS = "aten::linear,aten::select.int"


@pytest.fixture
def forking(tmp_path):
    return lambda way: run_watched([sys.executable, PROGRAM, way], tmp_path, OPCOV="1", OPCOV_OPS=OPS)


# Ways, each with the number of processes that call at least.
WAYS = {
    "fork": 3,
    "spawn": 3,
    "forkserver": 3,
    "pool": 2,
    "workers by fork": 5,
    "workers that stay": 3,
    "workers by spawn": 3,
    "other programs": 1,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_file_for_each_process_that_calls(forking, records, reported, way):
    made = assert_all_recorded(forking(way), records, reported)
    assert len(made) == len(records_in(records)) >= WAYS[way]


def test_beside_calls_and_flushes(forking, records, reported, round_number):
    assert len(assert_all_recorded(forking("beside calls and flushes"), records, reported)) == 11


def test_beside_starts_and_stops(forking, records, reported, round_number):
    assert_all_within_a_recording_recorded(forking("beside starts and stops"), records, reported)
