"""`opcov top` beside a program that records, in a pipe and on a terminal of its own."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios

import pytest
from programs import finished, start_program
from records import only_record

ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
FRAME = re.compile(r"\x1b\[H(.*?)\x1b\[J", re.DOTALL)


class Job:
    """A program that records calls until it is told to end."""

    def __init__(self, folder):
        self.records = folder / "records"
        self.records.mkdir()
        self._stop = folder / "stop"
        source = "while not os.path.exists('stop'): work(10)"
        self._process = start_program(source, folder, OPCOV="1", OPCOV_STAGE="dit")

    def end(self):
        if self._process.returncode is None:
            self._stop.touch()
            finished(self._process, 0)


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path)
    yield job
    job.end()


class Terminal:
    """`opcov top` on a terminal."""

    def __init__(self, job, interval="0.1"):
        self.shown = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            resize(0, 24, 100)
            os.execvp("opcov", ["opcov", "top", str(job.records), "--interval", interval])

    def frames(self):
        return [frame.replace("\x1b[K", "").split("\r\n") for frame in FRAME.findall(self.shown)]

    def read(self):
        if not select.select([self.fd], [], [], 60)[0]:
            raise AssertionError(f"nothing more than {self.shown!r}")
        try:
            piece = os.read(self.fd, 65536).decode()
        except OSError:  # the other side is closed
            piece = ""
        self.shown += piece
        return piece

    def wait_for(self, found):
        """The first frame from now on that is what is looked for."""
        seen = len(self.frames())
        while self.read():
            for frame in self.frames()[seen:]:
                if found(frame):
                    return frame
        raise AssertionError(f"ended with {self.shown!r}")

    def ended(self):
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        self.settings = termios.tcgetattr(self.fd)[3]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def resize(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def calls_shown(frame):
    return re.search(r"calls/s, ([\d,]+) call", frame[0])[1]


def is_busy(frame):
    return re.search(r"dit +linear +1 +[\d,]+ +[1-9]", "\n".join(frame)) is not None


@pytest.mark.parametrize("end", ["q", "\x03"], ids=["q", "Ctrl-C"])
def test_on_a_terminal(job, end):
    top = Terminal(job)
    top.wait_for(is_busy)
    settings = termios.tcgetattr(top.fd)
    assert not settings[3] & (termios.ECHO | termios.ICANON)
    assert settings[6][termios.VSUSP] == b"\0"  # Ctrl-Z would leave the terminal like this
    assert top.shown.startswith(ENTER)
    lines = [line for frame in FRAME.findall(top.shown) for line in frame.split("\r\n")]
    # Nothing of a longer line before stays.
    assert lines and all(line.rstrip("\r").endswith("\x1b[K") for line in lines)
    os.write(top.fd, end.encode())
    assert top.ended() == 0
    assert top.shown.endswith(LEAVE)
    assert top.shown.count(ENTER) == top.shown.count(LEAVE) == 1
    assert top.settings & termios.ECHO and top.settings & termios.ICANON


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back_whatever_ends_the_view(job, number):
    top = Terminal(job)
    top.wait_for(is_busy)
    os.kill(top.pid, number)
    assert top.ended() == 0
    assert top.shown.endswith(LEAVE)
    assert top.settings & termios.ECHO and top.settings & termios.ICANON


def test_a_view_follows_the_size_of_its_terminal_at_once(job):
    top = Terminal(job, interval="3600")
    before = top.wait_for(lambda frame: max(map(len, frame)) > 60)
    resize(top.fd, 5, 30)
    frame = top.wait_for(lambda frame: max(map(len, frame)) <= 40)
    assert len(frame) <= 5
    # Drawn anew, not looked at anew: rates are those of whole intervals.
    assert calls_shown(frame) == calls_shown(before)
    os.write(top.fd, b"q")
    assert top.ended() == 0


def test_in_a_pipe(job):
    command = ["opcov", "top", str(job.records), "--interval", "0.2", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as top:
        looks = [json.loads(top.stdout.readline())]
        while len(looks) < 3 or looks[-1]["calls_per_second"] == 0 or looks[-2]["calls_per_second"] == 0:
            looks.append(json.loads(top.stdout.readline()))
        top.send_signal(signal.SIGINT)
    assert top.returncode == 0
    for before, after in zip(looks, looks[1:]):
        grown = after["calls"] - before["calls"]
        assert grown == pytest.approx(after["calls_per_second"] * after["seconds"])
    (row,) = looks[-1]["signatures"]
    assert row["stage"] == "dit" and row["call"].startswith("linear(f32[2,3], f32[4,3], f32[4])")
    assert looks[-1]["by_rank"]["0"]["calls"] == looks[-1]["calls"]


def test_the_job_is_left_as_it_is(job):
    command = ["opcov", "top", str(job.records), "--interval", "0.05", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as top:
        while json.loads(top.stdout.readline())["calls"] < 100:
            pass
        seen = json.loads(top.stdout.readline())["calls"]
        job.end()
        while not (last := json.loads(top.stdout.readline()))["ended"]:
            pass
        top.terminate()
    record = only_record(job.records)
    assert sum(record.calls().values()) == last["calls"] >= seen
    assert record.has_end and not record.notices
