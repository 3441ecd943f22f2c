"""A fork, or the end of the process, while a thread holds a lock of the recorder's."""

import pytest
from processes import recorded, told
from watchdog import run_watched

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


@pytest.mark.parametrize("act", ["exit", "exit in a handler"])
def test_the_end_of_the_process_does_not_wait_for_a_stop_for_ever(held, act):
    held("stop", act, status=7)
