"""What opcov adds to a call, in instructions as callgrind counts them: the same on every machine, unlike time.

The limits are a tenth above what was counted when they were set. Whoever passes one on purpose sets it anew, here and in
docs/performance.md.
"""

import re

import pytest

CALLS = 1000
LIMITS = {
    # operator: (guarded, paused, recorded)
    "to.dtype": (215, 150, 1220),
    "is_same_size": (690, 560, 1670),
}


@pytest.fixture(scope="module")
def added(run, build_dir, tmp_path_factory):
    """{operator: {way: instructions that a call takes more than without opcov}}"""
    folder = tmp_path_factory.mktemp("callgrind")
    run(
        ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=calls", "--combine-dumps=no",
         build_dir / "tests/hosts/measured_calls", "records"],
        cwd=folder,
        # Kernels for this processor would make other counts elsewhere.
        ATEN_CPU_CAPABILITY="default",
    )
    counts = {}
    for path in folder.glob("calls.*"):
        text = path.read_text()
        named = re.search(r"^desc: Trigger: Client Request: (\S+)/(\S+)$", text, re.MULTILINE)
        if named:
            total = re.search(r"^(?:summary|totals): (\d+)$", text, re.MULTILINE)
            counts.setdefault(named[1], {})[named[2]] = int(total[1]) / CALLS
    return {
        op: {way: round(count - ways["bare"]) for way, count in ways.items() if way != "bare"}
        for op, ways in counts.items()
    }


@pytest.mark.parametrize("op", LIMITS)
def test_a_call_costs_no_more_instructions(added, op):
    for way, limit in zip(("guarded", "paused", "recorded"), LIMITS[op], strict=True):
        assert 0 < added[op][way] <= limit, (op, way)
