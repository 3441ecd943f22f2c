"""A stderr that is gone, settings that mean nothing, a second library: the program's own output and status stay."""

import fcntl
import os
import shutil
import subprocess

import pytest
from records import only_record, records_in

LINEAR = ("", "aten.linear.default")
CLOSED = ("sh", "-c", 'exec "$@" 2>&-', "sh")
# Of each variable a value that it does not take, and what the line on stderr says of it.
BAD_SETTINGS = [
    ("OPCOV", "maybe", "OPCOV=maybe"),
    ("OPCOV_OPS", "@nonsense", "@nonsense"),
    ("OPCOV_OPS", "=aten::linear", "=aten::linear"),
    ("OPCOV_NESTED", "2", "OPCOV_NESTED=2"),
    ("OPCOV_TRANSPARENT", "dit=aten::mm", "OPCOV_TRANSPARENT=dit=aten::mm"),
    ("OPCOV_STAGE", "a=b", "OPCOV_STAGE=a=b"),
    ("OPCOV_STAGE", "a,b", "OPCOV_STAGE=a,b"),
    ("OPCOV_STAGE_RANGES", "dit", "OPCOV_STAGE_RANGES=dit"),
    ("OPCOV_DEVICES", "gpu", "OPCOV_DEVICES=gpu"),
    ("OPCOV_MAX_SIGNATURES", "0", "OPCOV_MAX_SIGNATURES=0"),
    ("OPCOV_MAX_SIGNATURES", "-1", "OPCOV_MAX_SIGNATURES=-1"),
    ("OPCOV_MAX_SIGNATURES", "12x", "OPCOV_MAX_SIGNATURES=12x"),
    ("OPCOV_MAX_SIGNATURES", "99999999999999999999", "OPCOV_MAX_SIGNATURES=99999999999999999999"),
    ("OPCOV_OP", "aten::linear", "OPCOV_OP is no setting"),
]


@pytest.mark.parametrize("name, value, words", BAD_SETTINGS)
def test_a_bad_setting(working, records, name, value, words):
    (line,) = working("linear=6", "say", **{name: value})
    assert line.startswith("opcov: ") and words in line and "recording stays off" in line
    assert not records.exists()


@pytest.mark.parametrize(
    "name, value",
    [("RANK", "-1"), ("RANK", "x"), ("RANK", "99999999999999999999"), ("WORLD_SIZE", "1.5"), ("LOCAL_RANK", " ")],
)
def test_a_launchers_variable_that_is_no_number(working, records, name, value):
    assert working("linear=6", **{"RANK": "0", "WORLD_SIZE": "1", name: value}) == []
    record = only_record(records)
    assert (record.rank[0], record.by_op()) == (0, {LINEAR: 6})


def test_stderr_is_closed(working, records):
    """No file of ours takes its number: what the program writes there would stand in a record."""
    working("linear=6", "say", "numbered=6", under=CLOSED, stderr=subprocess.DEVNULL, OPCOV_MAX_SIGNATURES="3")
    record = only_record(records)
    assert record.has_end and record.notices["overflow"]["count"] == 4


def test_stderr_is_closed_and_a_setting_bad(working, records):
    working("linear=6", "say", under=CLOSED, stderr=subprocess.DEVNULL, OPCOV_OPS="@nonsense")
    assert not records.exists()


@pytest.fixture
def unread():
    """The writing end of a pipe that somebody holds and nobody reads."""
    reader, writer = os.pipe()
    yield reader, writer
    for end in reader, writer:
        try:
            os.close(end)
        except OSError:
            pass


@pytest.mark.parametrize("setting", [{"OPCOV_OPS": "@nonsense"}, {"OPCOV_MAX_SIGNATURES": "3"}])
def test_stderr_is_a_pipe_without_a_reader(working, unread, setting):
    reader, writer = unread
    os.close(reader)
    working("linear=6", "numbered=6", stderr=writer, **setting)


@pytest.mark.parametrize("setting", [{"OPCOV_OPS": "@nonsense"}, {"OPCOV_MAX_SIGNATURES": "3"}])
def test_stderr_is_a_full_pipe_that_nobody_reads(working, unread, setting):
    reader, writer = unread
    os.write(writer, bytes(fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)))
    working("linear=6", "numbered=6", stderr=writer, **setting)


def test_a_second_library(working, build_dir, tmp_path, records):
    other = tmp_path / "elsewhere" / "libopcov.so"
    other.parent.mkdir()
    shutil.copy(build_dir / "lib" / "libopcov.so", other)
    (line,) = working("linear=3", f"load={other}", "linear=3", "say")
    assert line.startswith("opcov: a second libopcov was loaded")
    record = only_record(records)
    assert record.has_end and record.by_op() == {LINEAR: 6}


def test_a_second_library_in_python(program, build_dir, tmp_path, records):
    other = tmp_path / "elsewhere.so"
    shutil.copy(build_dir / "lib" / "libopcov.so", other)
    done = program(f"work(3); torch.ops.load_library('{other}'); work(3); print('the host goes on')", OPCOV="1")
    assert done.stdout_text == "the host goes on\n"
    (line,) = done.stderr_text.splitlines()
    assert line.startswith("opcov: a second libopcov was loaded")
    assert [record.by_op() for record in records_in(records)] == [{LINEAR: 6}]
