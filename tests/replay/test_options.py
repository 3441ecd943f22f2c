"""Options of the replay that are refused before anything runs."""

import pytest

MOST = 10**9
LARGEST = 2**64 - 1


@pytest.mark.parametrize(
    "option, value, most",
    [("--warm-up", "-1", MOST), ("--warm-up", "1.5", MOST), ("--repeat", "1e3", MOST), ("--repeat", str(MOST + 1), MOST),
     ("--repeat", "9" * 30, MOST), ("--seed", "-3", LARGEST), ("--seed", str(LARGEST + 1), LARGEST)],
)
def test_numbers_that_are_none(replay, tmp_path, option, value, most):
    done = replay(tmp_path, f"{option}={value}", status=2)
    assert done.stdout == ""
    assert done.stderr == (
        f"opcov-replay: {option}: takes a whole number from 0 to {most}, not {value}; see opcov-replay --help\n"
    )
