"""Programs that might hang: where all their threads stand is told then."""

import os
import shutil
import signal
import subprocess

import pytest
from programs import clean_environment


def run_watched(command, folder, status=0, seconds=300, **settings):
    """As programs.finished(start_command()), but after so many seconds it fails with the stacks of the program and
    of all its children, and leaves none of them behind."""
    with open(folder / "stdout", "w+") as stdout, open(folder / "stderr", "w+") as stderr:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=clean_environment(folder / "records", **settings),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            found = "\n".join(map(stacks_of, processes_of_session(process.pid)))
            pytest.fail(f"{command} still runs after {seconds} s\n{found}")
        finally:
            for pid in processes_of_session(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()
        for file in stdout, stderr:
            file.seek(0)
        process.stdout_text, process.stderr_text = stdout.read(), stderr.read()
    assert process.returncode == status, process.stderr_text
    return process


def processes_of_session(session):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(name)) == session:
                found.append(int(name))
        except ProcessLookupError:
            pass
    return found


def stacks_of(pid):
    if shutil.which("gdb") is None:
        return f"process {pid}: install gdb to see its stacks"
    command = ["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
