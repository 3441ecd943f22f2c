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


def recorded(folder):
    """{pid: calls of aten.linear.default} over all record files."""
    calls = Counter()
    for record in records_in(folder):
        calls[record.header["pid"]] += record.by_op().get(("", "aten.linear.default"), 0)
    return +calls
