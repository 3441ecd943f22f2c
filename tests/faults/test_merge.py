"""`opcov merge` where its disk is full: an error, and nothing is left of the file."""

import subprocess

import pytest
from working import with_mounts

GOLDEN = "tests/golden/records"


@pytest.fixture
def on_a_small_disk(tmp_path, source_dir, build_dir):
    """on_a_small_disk(size): the ended merge to a disk of that size, and a folder with what is on it then."""

    def run(size):
        mount = f'mount -t tmpfs -o size={size} none "$RECORDS"'
        command = [build_dir / "bin" / "opcov", "merge", source_dir / GOLDEN, "-o", tmp_path / "disk" / "merged.jsonl"]
        done = subprocess.run([*with_mounts(mount, tmp_path / "copy"), *map(str, command)],
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "OPCOV_DIR": str(tmp_path / "disk")},
                              capture_output=True, text=True, timeout=60)
        return done, tmp_path / "copy"

    return run


def test_there_is_no_room_for_the_file(on_a_small_disk, tmp_path):
    done, disk = on_a_small_disk("16k")
    assert (done.returncode, done.stdout) == (3, "")
    output = tmp_path / "disk" / "merged.jsonl"
    assert done.stderr == f"opcov: {output}: cannot write: No space left on device; nothing was written\n"
    assert list(disk.iterdir()) == []


def test_there_is_room(on_a_small_disk, source_dir):
    done, disk = on_a_small_disk("1m")
    assert done.returncode == 0, done.stderr
    sources = sum(path.stat().st_size for path in (source_dir / GOLDEN).iterdir())
    assert [path.stat().st_size for path in disk.iterdir()] == [sources]
