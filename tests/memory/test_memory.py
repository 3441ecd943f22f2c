"""What a recording takes grows with the signatures, by a bounded amount each, and not with the calls."""

import json

import pytest
from records import only_record

MEGABYTE = 1 << 20
# Bytes of a signature of aten.select.int, whose JSON has 250: while recording, at most (the last counts are written as
# one line), and of the record file.
MOST_MEMORY, MOST_MEMORY_AT_THE_END, MOST_FILE = 400, 700, 400


@pytest.fixture
def many_calls(host):
    """many_calls(calls, signatures, **environment): the ended program and the two growths of its memory."""

    def run(calls, signatures, **settings):
        done = host("many_calls", calls, signatures, OPCOV="1", OPCOV_OPS="aten::select.int", **settings)
        return done, *map(int, done.stdout_text.split())

    return run


def test_ten_million_calls_of_twelve_signatures(many_calls, records):
    _, grown, most_grown = many_calls(10_000_000, 12)
    assert grown <= most_grown < MEGABYTE
    calls = only_record(records).calls().values()
    assert len(calls) == 12 and sum(calls) == 10_000_120 and max(calls) - min(calls) <= 1
    assert sum(path.stat().st_size for path in records.iterdir()) < MEGABYTE


def lines_of_a_long_record(path):
    """The number of signature lines, and the other lines by their kinds. Record would keep all of them in memory."""
    signatures, others = 0, {}
    with open(path) as lines:
        for text in lines:
            if text.startswith('{"record":"signature"'):
                signatures += 1
            else:
                line = json.loads(text)
                known = others.setdefault(line["record"], line)
                if line["record"] == "calls":  # a line has at most 100,000
                    known["calls"].update(line["calls"])
    return signatures, others


def test_ever_new_signatures_up_to_the_limit(many_calls, records, request):
    n = request.config.getoption("--signatures")
    done, grown, most_grown = many_calls(n + 5, n + 5, OPCOV_MAX_SIGNATURES=str(n))
    (path,) = records.iterdir()
    in_file = path.stat().st_size
    print(f"{n} signatures: {grown / n:.0f} bytes each, {most_grown / n:.0f} at the end, {in_file / n:.0f} on disk")
    assert grown < n * MOST_MEMORY and most_grown < n * MOST_MEMORY_AT_THE_END
    assert in_file < n * MOST_FILE
    signatures, others = lines_of_a_long_record(path)
    assert signatures == n and set(others) == {"header", "calls", "notice", "end"}
    assert others["calls"]["calls"] == {str(i): 11 if i < 12 else 1 for i in range(n)}
    assert (others["notice"]["kind"], others["notice"]["count"]) == ("overflow", 5)
    assert done.stderr_text.count("OPCOV_MAX_SIGNATURES") == 1
