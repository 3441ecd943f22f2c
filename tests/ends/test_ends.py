"""However a process ends, what completed is counted."""

import os
import signal
import subprocess
import sys

import pytest
from programs import clean_environment, start_program
from records import only_record, records_in

LINEAR = ("", "aten.linear.default")


@pytest.mark.parametrize(
    "ending, status",
    [
        ("pass", 0),
        ("sys.exit(3)", 3),
        ("raise KeyError('uncaught')", 1),
        ("import threading; threading.Thread(target=work, args=(1,)).start(); work(-1); sys.exit(0)", 0),
    ],
    ids=["return", "sys.exit", "exception", "thread still running"],
)
def test_clean_end(program, records, ending, status):
    program(f"work(6); {ending}", status=status, OPCOV="1")
    record = only_record(records)
    assert record.has_end
    assert record.by_op() == {LINEAR: 7 if "Thread" in ending else 6}
    assert not record.path.with_suffix(".counts").exists()


def test_os_exit_leaves_no_end_and_right_counts(program, records):
    program("work(6); os._exit(4)", status=4, OPCOV="1")
    record = only_record(records)
    assert not record.has_end and record.by_op() == {LINEAR: 6}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_killed(tmp_path, records, number):
    process = start_program(f"work(6); os.kill(os.getpid(), {int(number)})", tmp_path, OPCOV="1")
    process.communicate(timeout=120)
    assert process.returncode == -number
    record = only_record(records)
    assert not record.has_end and record.by_op() == {LINEAR: 6}


def test_killed_at_any_moment_counts_what_completed(tmp_path, records):
    """Killed from outside in the middle of its work, after it has told of at least 1,000 calls."""
    process = start_program("while True: work(1000); os.write(1, b'.')", tmp_path, OPCOV="1")
    told = 0
    while told < 5:
        told += len(os.read(process.stdout.fileno(), 100))
    process.kill()
    rest, _ = process.communicate(timeout=120)
    calls = only_record(records).by_op()[LINEAR]
    completed = 1000 * (told + len(rest))
    assert completed <= calls <= completed + 1000


def test_a_handler_that_exits_on_sigterm_ends_cleanly(program, records):
    program(
        """
        import signal
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        work(6)
        os.kill(os.getpid(), signal.SIGTERM)
        """,
        status=7,
        OPCOV="1",
    )
    record = only_record(records)
    assert record.has_end and record.by_op() == {LINEAR: 6}


def test_torchrun_workers_end_cleanly(tmp_path, records):
    (tmp_path / "app.py").write_text(
        "import torch, torch.distributed as dist\n"
        "dist.init_process_group('gloo')\n"
        "with torch.no_grad():\n"
        "    for _ in range(dist.get_rank() + 1): torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3))\n"
        "dist.destroy_process_group()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "app.py"],
        cwd=tmp_path,
        env=clean_environment(records, OPCOV="1"),
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    found = records_in(records)
    assert [(record.rank, record.by_op()) for record in found] == [((0, 2), {LINEAR: 1}), ((1, 2), {LINEAR: 2})]
    assert all(record.has_end for record in found)
    assert "opcov" not in done.stderr
