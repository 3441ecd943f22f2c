"""OPCOV_NVTX=1: each recorded call stands in a range, as a library sees it that NVTX loads in place of a profiler."""

import pytest
from oracle import digest
from records import Record, without_device

ADD = 'import opcov\ndef add(n): return torch.add(torch.ones(n), 1)\n'


@pytest.fixture
def ranges(build_dir, program, tmp_path):
    """ranges(source, **settings): {thread: [(depth, name)] in the order in which they were opened}"""

    def run(source, **settings):
        log = tmp_path / "log"
        log.touch()
        program(
            ADD + source,
            NVTX_INJECTION64_PATH=str(build_dir / "tests" / "nvtx" / "nvtx_log.so"),
            NVTX_LOG=str(log),
            **{"OPCOV": "1", "OPCOV_NVTX": "1", "OPCOV_OPS": "aten::add.*,aten::linear", **settings},
        )
        return read(log)

    return run


def read(log):
    found, depth = {}, {}
    for line in log.read_text().splitlines():
        thread, what, *name = line.split(" ", 2)
        if what == "open":
            found.setdefault(thread, []).append((depth.get(thread, 0), name[0]))
        depth[thread] = depth.get(thread, 0) + (1 if what == "open" else -1)
        assert depth[thread] >= 0
    assert not any(depth.values()), "a range stayed open"
    return found


def only(found):
    (one,) = found.values()
    return one


def names(records):
    """{(op, first dimension): name of the range} of what was recorded"""
    (path,) = records.glob("metadata_*.jsonl")
    found = {}
    for line in Record(path).of_kind("signature"):
        signature = without_device(line["signature"])
        short = digest(signature)[:16]
        name = f"{signature['stage']}/{signature['op']}/{short}"
        found[signature["op"], signature["args"][0]["shape"][0], signature["stage"]] = name
    return found


def test_a_known_signature_has_its_digest_and_a_new_one_has_none(ranges, records):
    found = only(ranges("""
with opcov.stage("dit"):
    add(2); add(2); add(3); add(2); add(3)
"""))
    known = names(records)
    two, three = known["aten.add.Tensor", 2, "dit"], known["aten.add.Tensor", 3, "dit"]
    assert found == [(0, name) for name in ("dit/aten.add.Tensor", two, "dit/aten.add.Tensor", two, three)]


def test_stages_and_operators_have_names_of_their_own(ranges, records):
    found = only(ranges("""
for _ in range(2):
    add(2)
    with opcov.stage("a/b"): add(2)
    work(1)
"""))
    known = names(records)
    assert [name for _, name in found] == [
        "/aten.add.Tensor", "a/b/aten.add.Tensor", "/aten.linear.default",
        known["aten.add.Tensor", 2, ""], known["aten.add.Tensor", 2, "a/b"], known["aten.linear.default", 2, ""],
    ]


def test_calls_that_are_not_recorded_have_no_range(ranges):
    assert only(ranges("add(2); torch.ones(3) * 2; opcov.pause(); add(2); opcov.resume(); opcov.stop(); add(2)")) == [
        (0, "/aten.add.Tensor")
    ]


def test_an_exception_closes_the_range(ranges):
    found = only(ranges("""
for _ in range(2):
    try: torch.add(torch.ones(2), torch.ones(3))
    except RuntimeError: pass
add(2)
"""))
    assert found == [(0, "/aten.add.Tensor")] * 3


def test_calls_inside_a_call_are_nested(ranges, records):
    found = only(ranges("work(1); work(1)", OPCOV_NESTED="1", OPCOV_OPS="aten::linear,aten::addmm"))
    known = {op: name for (op, _, _), name in names(records).items()}
    assert found == [
        (0, "/aten.linear.default"), (1, "/aten.addmm.default"),
        (0, known["aten.linear.default"]), (1, known["aten.addmm.default"]),
    ]


def test_each_thread_has_its_own(ranges, records):
    found = ranges("""
import threading
barrier = threading.Barrier(3)
def run():
    for _ in range(20):
        barrier.wait(); add(2)
threads = [threading.Thread(target=run) for _ in range(3)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
""")
    name = names(records)["aten.add.Tensor", 2, ""]
    assert list(found.values()) == [[(0, "/aten.add.Tensor")] + [(0, name)] * 19] * 3


def test_a_forked_child_has_ranges_of_its_own(ranges):
    found = ranges("""
add(2)
pid = os.fork()
add(2)
if pid == 0: os._exit(0)
os.waitpid(pid, 0)
""")
    parent, child = found.values()
    assert [name for _, name in child] == ["/aten.add.Tensor"]
    assert parent[0] == (0, "/aten.add.Tensor") and parent[1][1].startswith("/aten.add.Tensor/")


def test_without_the_setting_there_is_none(ranges):
    assert ranges("add(2)", OPCOV_NVTX="0") == {}
    assert only(ranges("opcov.start(nvtx=True, ops='aten::add.*'); add(2)", OPCOV="0", OPCOV_NVTX="0")) == [
        (0, "/aten.add.Tensor")
    ]


def test_opcov_replay_names_its_ranges_as_the_run_did(ranges, records, build_dir, run, tmp_path):
    ranges("add(2)")
    name = names(records)["aten.add.Tensor", 2, ""]
    log = tmp_path / "replayed"
    run(
        [build_dir / "bin" / "opcov-replay", "--records", records, "--warm-up", 2, "--repeat", 3],
        NVTX_INJECTION64_PATH=str(build_dir / "tests" / "nvtx" / "nvtx_log.so"),
        NVTX_LOG=str(log),
    )
    assert only(read(log)) == [(0, "warm-up")] * 2 + [(0, name)] * 3
