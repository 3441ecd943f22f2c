"""What the processes of a program say that they did, and what their records say."""

from collections import Counter

from records import records_in


def told(text):
    """{pid: calls} by the lines "PID CALLS" that processes write."""
    calls = Counter()
    for line in text.splitlines():
        pid, made = map(int, line.split())
        calls[pid] += made
    return +calls


def assert_all_recorded(done, records, reported):
    """What each process says that it made is in its record and in the report, and nothing was complained of.
    Returns it."""
    made = told(done.stdout_text)
    assert recorded(records) == made
    assert done.stderr_text == ""
    assert reported()["aten.linear.default"] == sum(made.values())
    return made


def assert_all_within_a_recording_recorded(done, records, reported):
    """The same where recordings start and stop meanwhile: a child that makes its 5 calls in one has them all."""
    found = recorded(records)
    assert {pid: calls for pid, calls in found.items() if calls == 5} == told(done.stdout_text)
    reported()


def recorded(folder):
    """{pid: calls of aten.linear.default} over all record files."""
    calls = Counter()
    for record in records_in(folder):
        calls[record.header["pid"]] += record.by_op().get(("", "aten.linear.default"), 0)
    return +calls
