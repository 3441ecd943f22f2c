"""A fork, or the end of the process, while a thread holds a lock of the recorder's."""

import pytest
from processes import recorded, told
from records import only_record
from watchdog import run_watched

BUSY = "opcov: this process was forked while the recorder was busy; recording is off in it, the program goes on"
# Where the thread is held, and operators to record with which it gets there.
PLACES = {"call": "aten::linear", "stop": "aten::no_such_operator"}


@pytest.fixture
def held(host_command, tmp_path):
    def run(place, act, status=0):
        return run_watched(host_command("held", place, act), tmp_path, status, OPCOV="1", OPCOV_OPS=PLACES[place])

    return run


def test_a_fork_waits_for_the_lock(held, records):
    done = held("call", "fork that waits")
    made = told(done.stdout_text)
    assert len(made) == 2 and recorded(records) == made
    assert done.stderr_text == ""


@pytest.mark.parametrize("act", ["fork that gives up", "fork in a handler"])
def test_a_child_forked_beside_a_lock_that_stays_taken_says_that_it_is_not_recorded(held, records, act):
    done = held("call", act)
    assert told(done.stdout_text) == recorded(records) == {only_record(records).header["pid"]: 3}
    assert done.stderr_text.splitlines() == [BUSY]


@pytest.mark.parametrize("act", ["fork that gives up", "fork in a handler"])
def test_so_does_one_forked_beside_a_stop(held, act):
    assert held("stop", act).stderr_text.splitlines()[-1] == BUSY


@pytest.mark.parametrize("act", ["exit", "exit in a handler"])
@pytest.mark.parametrize("place", PLACES)
def test_the_end_of_the_process_does_not_wait_for_ever(held, place, act):
    held(place, act, status=7)
