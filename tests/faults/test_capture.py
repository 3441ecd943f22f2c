"""Snapshots on a disk that is full or read-only: capturing ends with one line, the recording and the program go on."""

import pytest
from captured import notices
from records import only_record
from working import with_mounts


@pytest.mark.parametrize(
    "options, reason, saved",
    [("size=4k", "No space left on device", 1), ("size=1m,ro", "Read-only file system", 0)],
)
def test_a_disk_for_snapshots_alone(working, tmp_path, options, reason, saved):
    mount = f'mkdir "$RECORDS/snapshots" && mount -t tmpfs -o {options} none "$RECORDS/snapshots"'
    copy = tmp_path / "copy"
    steps = ("linear=6", "numbered=20")
    (line,) = working(*steps, under=with_mounts(mount, copy), OPCOV_CAPTURE="all")
    assert reason in line and line.endswith("; capturing is off, the recording goes on")
    record = only_record(copy)
    assert record.has_end and record.by_op() == {("", "aten.linear.default"): 6, ("", "aten.select.int"): 20}
    assert [path.suffix for path in (copy / "snapshots").iterdir()] == [".pt"] * saved
    assert sum(notices(copy, "not_captured").values()) == 21 - saved


def test_the_recording_ends_and_snapshots_do_not(working, tmp_path):
    """What was met before the record's disk was full is saved."""
    mount = 'mount -t tmpfs -o size=84k none "$RECORDS"'
    shots = tmp_path / "shots"
    (line,) = working(
        "linear=6",
        "numbered=500",
        under=with_mounts(mount, tmp_path / "copy"),
        OPCOV_CAPTURE="all",
        OPCOV_CAPTURE_DIR=str(shots),
    )
    assert "No space left on device" in line and line.endswith("recording is off, the program goes on")
    signatures = len(only_record(tmp_path / "copy").of_kind("signature"))
    assert 10 < signatures < 500 and len(list(shots.glob("*.pt"))) == signatures == len(list(shots.iterdir()))
