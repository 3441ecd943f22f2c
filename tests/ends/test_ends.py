"""However a process ends, what completed is counted, and its own output and status are as without opcov."""

import signal
import sys

import pytest
from programs import finished, python_command, start_command, start_program
from records import only_record, records_in

LINEAR = ("", "aten.linear.default")


# How a program ends: its status, whether the record then has its end, and its calls.
CPP_ENDINGS = {
    "return": (3, True, 6),
    "exit": (4, True, 6),
    "quick_exit": (5, True, 6),
    "_exit": (6, False, 6),
    "abort": (-signal.SIGABRT, False, 6),
    "exception": (-signal.SIGABRT, False, 6),
    "SIGTERM": (-signal.SIGTERM, False, 6),
    "SIGINT": (-signal.SIGINT, False, 6),
    "SIGKILL": (-signal.SIGKILL, False, 6),
    "SIGSEGV": (-signal.SIGSEGV, False, 6),
    "exit in a handler": (9, True, 6),
    "exit on another thread": (10, True, 6),
    "main before a thread": (11, True, 7),
    "calls from destructors": (13, True, 10),
    "calls at exit": (14, True, 12),
    "calls at quick exit": (15, True, 12),
}


@pytest.mark.parametrize("ending", CPP_ENDINGS)
def test_cpp(host, records, reported, ending):
    status, has_end, calls = CPP_ENDINGS[ending]
    plain = host("ending", ending, status=status)
    recorded = host("ending", ending, status=status, OPCOV="1")
    assert (recorded.stdout_text, recorded.stderr_text) == (plain.stdout_text, plain.stderr_text)
    record = only_record(records)
    assert (record.has_end, record.by_op()) == (has_end, {LINEAR: calls})
    assert record.path.with_suffix(".counts").exists() != has_end
    assert reported() == {"aten.linear.default": calls}


def test_another_program_takes_the_process(host, records, reported):
    host("ending", "exec", status=3, OPCOV="1")
    first, second = records_in(records)
    assert first.header["pid"] == second.header["pid"] and second.path.stem == first.path.stem + "_2"
    assert (first.has_end, second.has_end) == (False, True)
    assert first.by_op() == second.by_op() == {LINEAR: 6}
    assert reported() == {"aten.linear.default": 12}


def test_threads_still_call_at_a_quick_exit(host, records, reported):
    host("ending", "quick_exit with calls running", status=12, OPCOV="1")
    assert only_record(records).has_end
    assert reported()["aten.linear.default"] >= 6 + 400


def test_the_library_is_never_unloaded(host, build_dir, records):
    library = build_dir / "lib" / "libopcov.so"
    calls = int(host("unloading", library, OPCOV="1").stdout_text)
    record = only_record(records)
    assert (record.has_end, record.by_op()) == (True, {LINEAR: calls})


# A Python program's ending: its status, whether the record has its end, its calls, and the last line of its stderr.
PYTHON_ENDINGS = {
    "pass": (0, True, 6, ""),
    "sys.exit(3)": (3, True, 6, ""),
    "os._exit(4)": (4, False, 6, ""),
    "os.abort()": (-signal.SIGABRT, False, 6, ""),
    "raise KeyError('uncaught')": (1, True, 6, "KeyError: 'uncaught'"),
    "os.kill(os.getpid(), 15)": (-signal.SIGTERM, False, 6, ""),
    "os.kill(os.getpid(), 9)": (-signal.SIGKILL, False, 6, ""),
    # Python ends itself by the signal in the end, so that its parent sees it: no exit handler of C's runs.
    "os.kill(os.getpid(), 2); work(1)": (-signal.SIGINT, False, 6, "KeyboardInterrupt"),
    "import signal; signal.signal(15, lambda *_: sys.exit(7)); os.kill(os.getpid(), 15)": (7, True, 6, ""),
    "import atexit; atexit.register(work, 2)": (0, True, 8, ""),
    "import threading; threading.Thread(target=work, args=(1,)).start(); sys.exit(5)": (5, True, 7, ""),
    "import threading; t = threading.Thread(target=sys.exit); t.start(); t.join(); work(1)": (0, True, 7, ""),
    "future = torch.jit.fork(torch.nn.functional.linear, torch.ones(2, 3), torch.ones(4, 3))": (0, True, 7, ""),
}


@pytest.mark.parametrize("ending", PYTHON_ENDINGS)
def test_python(program, records, reported, ending):
    status, has_end, calls, said = PYTHON_ENDINGS[ending]
    done = program(f"work(6); {ending}", status=status, OPCOV="1")
    assert done.stdout_text == "" and done.stderr_text.splitlines()[-1:] == [said] * bool(said)
    record = only_record(records)
    assert (record.has_end, record.by_op()) == (has_end, {LINEAR: calls})
    assert reported() == {"aten.linear.default": calls}


def test_python_becomes_another_program(program, records, reported):
    program(f"work(6); os.execv(sys.executable, {python_command('work(2)')!r})", OPCOV="1")
    assert [(record.has_end, record.by_op()) for record in records_in(records)] == [
        (False, {LINEAR: 6}),
        (True, {LINEAR: 2}),
    ]
    assert reported() == {"aten.linear.default": 8}


def test_daemon_threads_still_call_while_the_interpreter_ends(tmp_path, records, reported):
    """What had returned when the program began to end is counted.

    PyTorch itself, without opcov too, mostly aborts here: Python ends the threads inside its noexcept functions.
    """
    process = start_program(
        """
        import threading
        returned = [0] * 4
        def call(i):
            while True:
                work(1)
                returned[i] += 1
        for i in range(4):
            threading.Thread(target=call, args=(i,), daemon=True).start()
        while min(returned) < 50:
            pass
        print(sum(returned), flush=True)
        """,
        tmp_path,
        OPCOV="1",
    )
    told, said = process.communicate(timeout=120)
    assert process.returncode in (0, -signal.SIGABRT) and "opcov" not in said
    assert only_record(records).has_end == (process.returncode == 0)
    assert reported()["aten.linear.default"] >= int(told)


def test_torchrun_workers_end_cleanly(tmp_path, records):
    (tmp_path / "app.py").write_text(
        "import torch, torch.distributed as dist\n"
        "dist.init_process_group('gloo')\n"
        "with torch.no_grad():\n"
        "    for _ in range(dist.get_rank() + 1): torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3))\n"
        "dist.destroy_process_group()\n"
    )
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "app.py"]
    done = finished(start_command(command, tmp_path, OPCOV="1"), 0)
    found = records_in(records)
    assert [(record.rank, record.by_op()) for record in found] == [((0, 2), {LINEAR: 1}), ((1, 2), {LINEAR: 2})]
    assert all(record.has_end for record in found)
    assert "opcov" not in done.stderr_text
