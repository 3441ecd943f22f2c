"""Killed at a random moment, every call that the program acknowledged is in the report, and no other.

A program writes one byte for each call that has returned. A call between its count and its byte may be in the report
too: at most one a thread.
"""

import os
import random

import pytest
from programs import python_command, start_command
from records import records_in

PYTHON = """
import threading
def acknowledge():
    while True:
        work(1)
        os.write(1, b"l")
os.write(1, b"r")
for _ in range({threads} - 1):
    threading.Thread(target=acknowledge).start()
acknowledge()
"""
MOST_BYTES = 5000


@pytest.fixture
def commands(host_command):
    """Commands by name, each with the number of its threads."""
    python = {f"python {threads}": (python_command(PYTHON.format(threads=threads)), threads) for threads in (1, 4)}
    cpp = {f"cpp {threads}": (host_command("acknowledging", threads), threads) for threads in (1, 8)}
    return {**cpp, **python}


def killed_after(command, folder, most):
    """All that the program wrote; it is killed once it has written `most` bytes."""
    process = start_command(command, folder, OPCOV="1", OPCOV_OPS="aten::linear,aten::select.int")
    told = b""
    while len(told) < most:
        told += os.read(process.stdout.fileno(), most - len(told)) or pytest.fail(process.stderr.read())
    process.kill()
    while more := os.read(process.stdout.fileno(), 1 << 16):
        told += more
    process.communicate(timeout=60)
    assert process.returncode == -9
    return told


def pytest_generate_tests(metafunc):
    if "kill" in metafunc.fixturenames:
        kinds = ["cpp 8", "python 1", "cpp 1", "python 4"]
        kills = range(metafunc.config.getoption("--kills"))
        metafunc.parametrize("kind, kill", [(kinds[kill % len(kinds)], kill) for kill in kills])


def test_acknowledged_calls_are_reported(commands, tmp_path, records, reported, kind, kill):
    command, threads = commands[kind]
    # As likely among the first ten calls as among the last thousand; 1: before any call has been acknowledged.
    most = int(MOST_BYTES ** random.Random(kill).random())
    told = killed_after(command, tmp_path, most)
    calls = reported() if records.exists() and any(records.iterdir()) else {}
    for op, byte in ("aten.linear.default", b"l"), ("aten.select.int", b"n"):
        acknowledged = told.count(byte)
        assert acknowledged <= calls.get(op, 0) <= acknowledged + threads, op
    assert not any(record.has_end for record in records_in(records) if told.count(b"l"))
