"""Capturing beside everything else that a program does: threads, forks, other ranks, kills, full disks, exits."""

import fcntl
import json
import signal

import pytest
from captured import load, notices, rows_captured, snapshots
from capturing import start
from oracle import digest
from programs import finished
from records import only_record, records_in

# Threads, and many signatures


def test_threads_that_call_the_same(capturing, records):
    source = """
    import threading
    def calls():
        for rows in range(1, 101):
            captured.linear(rows)
    threads = [threading.Thread(target=calls) for _ in range(8)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    """
    assert capturing(source) == []
    assert rows_captured(records) == list(range(1, 101))
    assert notices(records, "captured") == {f"snapshots in {records}/snapshots": 100}
    assert sum(only_record(records).calls().values()) == 800


def test_ten_thousand_signatures(capturing, records):
    assert capturing("for rows in range(1, 10_001): captured.linear(rows, 2)", OPCOV_CAPTURE_MAX_COUNT="10000") == []
    assert list(notices(records, "captured").values()) == [10_000] and notices(records, "not_captured") == {}
    assert len(snapshots(records)) == 10_000


def test_more_than_the_budget_has_is_counted(capturing, records):
    assert capturing("for rows in range(1, 1001): captured.linear(rows, 2)", OPCOV_CAPTURE_MAX_COUNT="7") == []
    assert len(snapshots(records)) == 7
    ((text, count),) = notices(records, "not_captured").items()
    assert count == 993 and text.endswith(" and 943 more")


def test_signatures_that_are_in_no_row_are_not_captured(capturing, records):
    (line,) = capturing("for rows in range(1, 51): captured.linear(rows, 2)", OPCOV_MAX_SIGNATURES="20")
    assert "more than 20 signatures" in line
    assert rows_captured(records) == list(range(1, 21))
    assert list(notices(records, "captured").values()) == [20]


# What the program sees


def test_results_are_the_same(tmp_path):
    source = """
    import hashlib
    torch.manual_seed(0)
    x = torch.randn(64, 64)
    total = hashlib.sha256()
    for i in range(1, 50):
        x[: i + 1].mul_(1.001).add_(torch.randn(i + 1, 64))
        x = torch.nn.functional.gelu(x @ x.t() / 64)
        total.update(bytes(x.contiguous().view(torch.uint8).flatten().tolist()))
    weight = torch.randn(8, 64, requires_grad=True)
    with torch.enable_grad():
        torch.nn.functional.linear(x, weight).square().sum().backward()
    total.update(bytes(weight.grad.view(torch.uint8).flatten().tolist()))
    print(total.hexdigest())
    """
    told = {
        finished(start(tmp_path, source, OPCOV_OPS="aten::*", **settings), 0).stdout_text
        for settings in ({"OPCOV": "0"}, {"OPCOV_CAPTURE": ""}, {"OPCOV_CAPTURE": "all"})
    }
    assert len(told) == 1 and len(snapshots(tmp_path / "records")) > 100


def test_no_tensor_lives_longer(capturing, records):
    source = """
    import weakref
    x = torch.ones(3, 8)
    seen = weakref.ref(x)
    torch.nn.functional.linear(x, torch.ones(4, 8))
    del x
    assert seen() is None
    """
    capturing(source)
    assert rows_captured(records) == [3]


def test_an_operator_that_raises(capturing, records):
    source = """
    for rows in (3, 5):
        try:
            torch.nn.functional.linear(torch.ones(rows, 8), torch.ones(4, 9))
        except RuntimeError:
            captured.linear(rows)
    """
    assert capturing(source) == []
    assert rows_captured(records) == [3, 5]


def test_outputs_that_depend_on_values(capturing, records):
    """The same arguments, as far as structure goes: the second output is captured when it comes again."""
    source = """
    for ones in (1, 2, 2, 2, 3, 1):
        torch.nonzero((torch.arange(9) < ones).float())
    """
    assert capturing(source, OPCOV_OPS="aten::nonzero") == []
    saved = sorted(load(path)["output"]["shape"][0] for path in snapshots(records).values())
    assert saved == [1, 2]
    ((text, count),) = notices(records, "not_captured").items()
    assert count == 1 and text.startswith("its arguments gave another output when they were copied: ")


def test_stop_writes_what_waits(capturing, records):
    source = """
    captured.linear(3)
    opcov.stop()
    print(len(captured.snapshots("records")))
    opcov.start(capture_max_count=1)
    captured.linear(4), captured.linear(5)
    opcov.start()
    captured.linear(3), captured.linear(5)
    """
    assert capturing(source) == []
    assert rows_captured(records) == [3, 4, 5]
    told = [[(line["kind"], line["count"]) for line in record.of_kind("notice")] for record in records_in(records)]
    assert sorted(told) == [[("captured", 1)], [("captured", 1), ("not_captured", 1)], [("captured", 2)]]
    assert f"snapshots in {records}/snapshots; 1 of them were there, or another process made them" in notices(
        records, "captured"
    )


@pytest.mark.parametrize(
    "value, words",
    [
        ("missing:nowhere.json", ("nowhere.json", "no such file")),
        ("missing:records.json", ("records.json", "is no report of opcov's")),
        ("@nothing", ("@nothing", "@gemm")),
    ],
)
def test_a_setting_that_is_wrong(capturing, records, tmp_path, value, words):
    (tmp_path / "records.json").write_text('{"rows": [{"calls": 1}]}')
    (line,) = capturing("captured.linear(3)", OPCOV_CAPTURE=value)
    assert all(word.lower() in line.lower() for word in words) and "recording stays off" in line, line
    assert not records.exists()


# Several processes


def test_ranks_share_a_folder(tmp_path, records):
    source = "for rows in range(1, 201): captured.linear(rows)"
    ranks = [start(tmp_path, source, RANK=str(rank), WORLD_SIZE="4") for rank in range(4)]
    for rank in ranks:
        assert "opcov: " not in finished(rank, 0).stderr_text
    assert rows_captured(records) == list(range(1, 201))
    assert sum(notices(records, "captured").values()) > 200
    one_more = start(tmp_path, source, RANK="9", WORLD_SIZE="10")
    finished(one_more, 0)
    assert rows_captured(records) == list(range(1, 201))


def test_each_rank_has_its_own(tmp_path, records):
    source = "for rows in range(1, 11): captured.linear(rows)"

    def run(rank):
        program = start(tmp_path, source, RANK=str(rank), WORLD_SIZE="4", OPCOV_CAPTURE_PER="rank")
        assert "opcov: " not in finished(program, 0).stderr_text

    for rank in (0, 3, 3):
        run(rank)
    digests = {digest(signature)[:16] for signature in records_signatures(records)}
    assert len(digests) == 10
    names = {path.name for path in (records / "snapshots").iterdir()}
    assert names == {f"_rank{rank}_{short}.pt" for rank in (0, 3) for short in digests}
    made, found = sorted(notices(records, "captured"))
    assert made == f"snapshots in {records}/snapshots"
    assert found == made + "; 10 of them were there, or another process made them"


def test_a_snapshot_with_less_of_the_values_gives_its_place_up(capturing, records):
    def values(**settings):
        assert capturing("captured.linear(3)", **settings) == []
        (path,) = snapshots(records).values()
        saved = load(path)
        return path.name.split("_rank")[1][0], saved.get("values"), saved["args"][0].device.type

    assert values(OPCOV_CAPTURE_VALUES="none") == ("0", "none", "meta")
    assert values(OPCOV_CAPTURE_VALUES="random") == ("0", "random", "cpu")
    assert values(OPCOV_CAPTURE_VALUES="none") == ("0", "random", "cpu")
    # Of whatever rank; one that began before is not asked whether it is done.
    assert values(RANK="1", WORLD_SIZE="2") == ("1", None, "cpu")
    assert values(OPCOV_CAPTURE_VALUES="random") == ("1", None, "cpu")
    assert values() == ("1", None, "cpu")
    assert {name.suffix for name in (records / "snapshots").iterdir()} == {".pt"}


@pytest.mark.parametrize("what", ["empty", "another"])
def test_a_file_that_only_has_the_name_is_no_snapshot_and_stays(capturing, records, what):
    capturing("captured.linear(3), captured.linear(4)")
    three, four = sorted(snapshots(records).values(), key=lambda path: load(path)["args"][0].shape[0])
    three.write_bytes(b"" if what == "empty" else four.read_bytes())
    before = three.read_bytes()
    capturing("captured.linear(3), captured.linear(4)")
    assert three.read_bytes() == before
    (reason,) = notices(records, "not_captured")
    assert reason.startswith("a file of its name is there and no snapshot of it (") and "move it away" in reason
    assert three.stem.split("_")[-1] in reason and four.stem.split("_")[-1] not in reason


def test_another_process_is_at_it(capturing, records):
    capturing("captured.linear(3), captured.linear(4)")
    names = {load(path)["args"][0].shape[0]: path for path in snapshots(records).values()}
    whole = {rows: digest(only) for only in records_signatures(records) for rows in [only["args"][0]["shape"][0]]}
    for rows, path in names.items():
        path.unlink()
    held = records / "snapshots" / f".{whole[3]}.part"
    left = records / "snapshots" / f".{whole[4]}.part"
    left.write_bytes(b"of a process that was killed" * 1000)
    with held.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert capturing("captured.linear(3), captured.linear(4)") == []
    held.unlink()
    assert rows_captured(records) == [4]


def test_another_rank_is_at_it_and_has_its_own(capturing, records, tmp_path):
    capturing("captured.linear(3)")
    (only,) = records_signatures(records)
    folder = records / "snapshots"
    held = [folder / f".{digest(only)}{whose}.part" for whose in ("", "_rank0")]
    with held[0].open("wb") as job, held[1].open("wb") as rank:
        for file in (job, rank):
            fcntl.flock(file, fcntl.LOCK_EX)
        capturing("captured.linear(3)", RANK="1", WORLD_SIZE="2", OPCOV_CAPTURE_PER="rank")
    for path in held:
        path.unlink()
    assert {path.name for path in folder.iterdir()} == {f"_rank{rank}_{digest(only)[:16]}.pt" for rank in (0, 1)}


def records_signatures(folder):
    return [json.loads(text) for record in records_in(folder) for text in record.calls()]


def test_forked_children_capture_for_themselves(capturing, records):
    source = """
    captured.linear(1)
    for child in range(5):
        captured.F.linear(torch.ones(100 + child, 1000), torch.ones(4, 1000))  # the parent's thread is at work
        pid = os.fork()
        if pid == 0:
            captured.linear(10 + child), captured.linear(1)
            opcov.stop()
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
    captured.linear(2)
    """
    assert capturing(source) == []
    assert rows_captured(records) == [1, 2, 10, 11, 12, 13, 14, 100, 101, 102, 103, 104]
    assert len(records_in(records)) == 6


def test_a_kill_in_the_middle(tmp_path, records):
    source = "captured.F.linear(torch.ones(3, 8), torch.ones(8_000_000, 8)), captured.linear(4), sys.stdin.read()"
    process = start(tmp_path, source)
    folder = records / "snapshots"
    while process.poll() is None and not any(path.stat().st_size > 0 for path in folder.glob(".*.part")):
        pass
    process.kill()
    finished(process, -signal.SIGKILL)
    assert all("args" in load(path) for path in folder.glob("*.pt"))
    left = list(folder.glob(".*.part"))
    assert finished(start(tmp_path, source.replace("sys.stdin.read()", "0")), 0).stderr_text == ""
    assert rows_captured(records) == [3, 4] and not any(path.exists() for path in left)


# Faults


def test_a_folder_that_cannot_be_made(capturing, records, tmp_path):
    (tmp_path / "file").write_text("")
    source = "for rows in range(1, 99): captured.linear(rows)"
    (line,) = capturing(source, OPCOV_CAPTURE_DIR=str(tmp_path / "file" / "in"))
    assert "cannot make this folder" in line and "capturing is off, the recording goes on" in line
    record = only_record(records)
    assert record.has_end and sum(record.calls().values()) == 98
    assert sum(notices(records, "not_captured").values()) == 98


@pytest.mark.parametrize("limit", [0, 1000, 1_000_000])
def test_a_limit_on_file_sizes(capturing, records, limit):
    source = f"""
    import resource
    captured.linear(1)
    while not any(name.endswith(".pt") for name in captured.snapshots("records")):
        pass
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
    captured.F.linear(torch.ones(3, 1000), torch.ones(1000, 1000))
    """
    lines = capturing(source)
    assert any("File too large" in line and "is off" in line for line in lines), lines
    assert rows_captured(records) == [1]
    assert [path.suffix for path in (records / "snapshots").iterdir()] == [".pt"]


def test_more_waits_than_memory_may_hold(capturing, records):
    """What a call of a signature finds no room for, a later one is copied for."""
    source = """
    large = [torch.ones(n, 4_000_000) for n in (16, 17)]  # 256 and 272 MB: no room for both
    for x in large:
        x.clone()
    while sum(name.endswith(".pt") for name in captured.snapshots("records")) < 2:
        large[1].clone()
    """
    assert capturing(source, OPCOV_OPS="aten::clone") == []
    assert rows_captured(records) == [16, 17] and notices(records, "not_captured") == {}
