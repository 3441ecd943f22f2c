"""A disk that is full, read-only or limited: the program goes on, one line says so, and what was recorded reads."""

import shutil

import pytest
from records import Record, only_record, records_in
from working import with_mounts

LINEAR, SELECT = ("", "aten.linear.default"), ("", "aten.select.int")


@pytest.fixture
def copy(tmp_path):
    """Where the records of a program with mounts of its own are found at its end."""
    return tmp_path / "copy"


@pytest.fixture
def on_a_small_disk(working, copy):
    """on_a_small_disk(size, *steps): opcov's lines of the program, whose records go to a file system of that size."""

    def run(size, *steps, before="true", **more):
        mount = f'mount -t tmpfs -o size={size} none "$RECORDS" && {before}'
        return working(*steps, under=with_mounts(mount, copy), **more)

    return run


def only_line(lines, *words):
    (line,) = lines
    assert line.startswith("opcov: ") and all(word in line for word in words), line


def without_end(folder):
    """The counts by operator of a record that broke off."""
    record = only_record(folder)
    assert not record.has_end
    return record.by_op()


def test_a_read_only_folder(working, copy, tmp_path):
    mount = 'mount --bind "$RECORDS" "$RECORDS" && mount -o remount,bind,ro "$RECORDS"'
    lines = working("linear=6", under=with_mounts(mount, copy))
    only_line(lines, "cannot make", "Read-only file system", "recording is off")


def test_no_file_can_be_made(on_a_small_disk, copy):
    only_line(on_a_small_disk("1m,nr_inodes=1", "linear=6"), "cannot make", "No space left on device")
    assert records_in(copy) == []


def test_full_at_the_first_line(on_a_small_disk, copy):
    fill = 'head -c 4096 /dev/zero > "$RECORDS/filler"'
    only_line(on_a_small_disk("4k", "linear=6", before=fill), "cannot write", "No space left on device")
    assert [path.stat().st_size for path in copy.glob("*.jsonl")] == [0]


def test_no_room_for_the_sidecar(on_a_small_disk, copy):
    assert on_a_small_disk("32k", "linear=6", "numbered=3") == []
    record = only_record(copy)
    assert record.has_end and record.by_op() == {LINEAR: 6, SELECT: 3}
    assert "No space left on device" in record.notices["counts_in_memory"]["text"]
    assert not record.path.with_suffix(".counts").exists()


def test_no_room_for_the_sidecar_to_grow(on_a_small_disk, copy):
    """It has room for the counters of fifteen threads at first."""
    assert on_a_small_disk("88k", "threads=40") == []
    record = only_record(copy)
    assert record.has_end and record.by_op() == {LINEAR: 40}
    assert "No space left on device" in record.notices["counts_in_memory"]["text"]


def test_full_in_the_middle(on_a_small_disk, copy):
    only_line(on_a_small_disk("84k", "linear=6", "numbered=500", "linear=6"), "cannot write", "No space left on device")
    signatures = len(only_record(copy).of_kind("signature"))
    assert 10 < signatures < 500
    assert without_end(copy) == {LINEAR: 6, SELECT: signatures - 1}


def test_full_at_the_end(on_a_small_disk, records, copy):
    def fill(pid):
        with open(f"/proc/{pid}/root{records}/filler", "wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(bytes(1))

    lines = on_a_small_disk("1m", "linear=6", "numbered=400", "wait", "linear=6", meanwhile=fill)
    only_line(lines, "cannot write", "No space left on device")
    assert without_end(copy) == {LINEAR: 12, SELECT: 400}


def test_a_limit_on_file_sizes_at_the_first_line(working, records):
    only_line(working("linear=6", under=("prlimit", "--fsize=0")), "cannot write", "File too large")


def test_a_limit_on_file_sizes_below_the_sidecars(working, records):
    assert working("linear=6", under=("prlimit", "--fsize=32768")) == []
    record = only_record(records)
    assert record.has_end and record.by_op() == {LINEAR: 6} and "counts_in_memory" in record.notices


def test_a_limit_on_file_sizes_in_the_middle(working, records, reported):
    only_line(working("linear=6", "numbered=500", under=("prlimit", "--fsize=65536")), "cannot write")
    signatures = len(only_record(records).of_kind("signature"))
    assert without_end(records) == {LINEAR: 6, SELECT: signatures - 1}
    assert reported() == {"aten.linear.default": 6, "aten.select.int": signatures - 1}


def test_no_file_descriptor_is_left(working, records):
    lines = working("linear", "descriptors=0", "numbered=6", "say", OPCOV_OPS="aten::select.int")
    only_line(lines, "cannot make", "Too many open files")


def test_one_file_descriptor_is_left(working, records):
    """The counts stay in memory then."""
    assert working("linear", "descriptors=1", "numbered=6", "say", OPCOV_OPS="aten::select.int") == []
    record = only_record(records)
    assert record.has_end and record.by_op() == {SELECT: 6}
    assert "Too many open files" in record.notices["counts_in_memory"]["text"]


def test_no_more_address_space(working, records):
    assert working("no-address-space", "linear=6") == []
    record = only_record(records)
    assert record.has_end and record.by_op() == {LINEAR: 6}
    assert "Cannot allocate memory" in record.notices["counts_in_memory"]["text"]


@pytest.mark.parametrize("folder", ["new", "new/and/deeper", "with blanks and ü"])
def test_a_folder_that_is_missing_is_made(working, tmp_path, folder):
    assert working("linear=6", OPCOV_DIR=str(tmp_path / folder)) == []
    assert only_record(tmp_path / folder).by_op() == {LINEAR: 6}


@pytest.mark.parametrize("folder", ["file/below", "loop", "dangling", "n" * 300, "file"])
def test_a_folder_that_cannot_be(working, tmp_path, folder):
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere/at/all")
    only_line(working("linear=6", OPCOV_DIR=folder), "cannot make", folder, "recording is off")
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_folder_is_deleted_before_the_first_call(working, records):
    records.mkdir()
    assert working("wait", "linear=6", meanwhile=lambda _: records.rmdir()) == []
    assert only_record(records).by_op() == {LINEAR: 6}


def test_the_folder_is_deleted_while_running(working, records):
    lines = working("linear=6", "wait", "linear=6", "numbered=6", meanwhile=lambda _: shutil.rmtree(records))
    only_line(lines, "was removed while it was written")
    assert not records.exists()


def test_the_folder_is_deleted_and_a_new_recording_begins(working, records):
    lines = working("linear=6", "wait", "reset", "linear=2", meanwhile=lambda _: shutil.rmtree(records))
    assert lines == [] and only_record(records).by_op() == {LINEAR: 2}


def test_a_file_takes_the_folders_place(working, records):
    def replace(_):
        shutil.rmtree(records)
        records.write_text("in the way")

    removed, not_made = working("linear=6", "wait", "stop", "start", "linear=6", meanwhile=replace)
    only_line([removed], "was removed while it was written")
    only_line([not_made], "cannot make", str(records))
    assert records.read_text() == "in the way"


def test_only_the_sidecar_is_deleted(working, records):
    def delete(_):
        only_path(records).with_suffix(".counts").unlink()

    assert working("linear=6", "wait", "linear=6", meanwhile=delete) == []
    assert only_record(records).by_op() == {LINEAR: 12}


def only_path(folder):
    (path,) = folder.glob("*.jsonl")
    return path


def test_the_working_folder_is_gone(working, tmp_path):
    steps = "linear", "wait", "start", "numbered=6"
    lines = working(*steps, meanwhile=lambda _: tmp_path.rmdir(), OPCOV="0", OPCOV_DIR="relative")
    only_line(lines, "cannot make the folder relative")


def test_a_name_that_is_taken(working, records):
    """By a process that had the same number."""

    def claim(pid):
        records.mkdir()
        (records / f"metadata_rank0_pid{pid}.jsonl").write_text("another's")

    assert working("wait", "linear=6", meanwhile=claim) == []
    (path,) = records.glob("*_2.jsonl")
    assert Record(path).by_op() == {LINEAR: 6}
    path.unlink()
    assert only_path(records).read_text() == "another's"
