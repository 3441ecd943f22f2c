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
