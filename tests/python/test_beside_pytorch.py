"""Beside everything PyTorch has, opcov counts right and changes nothing: results, graphs, what other tools see."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from beside import SITUATIONS
from programs import clean_environment

HERE = Path(__file__).parent
NAMES = list(SITUATIONS)
IN_INFERENCE = [name for name in NAMES if SITUATIONS[name].inference]


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    """observed(kind, name): what a process of that kind (beside/run.py) saw of a situation."""
    folder, seen = tmp_path_factory.mktemp("beside"), {}

    def run(kind):
        done = subprocess.run(
            [sys.executable, "-m", "beside.run", kind, str(folder / kind)],
            cwd=HERE,
            env=clean_environment(folder / kind, TORCHINDUCTOR_CACHE_DIR=str(folder / "cache")),
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def observe(kind, name):
        if kind not in seen:
            seen[kind] = run(kind)
        assert "error" not in seen[kind][name], seen[kind][name]["error"]
        return seen[kind][name]

    return observe


@pytest.mark.parametrize("kind", ["recorded", "paused"])
@pytest.mark.parametrize("name", NAMES)
def test_results_stay(name, kind, observed):
    alone, beside = observed("alone", name), observed(kind, name)
    for mode, expected in alone.items():
        assert beside[mode]["result"] == expected["result"], mode


def expected_counts(situation, profiler_saw):
    counts = Counter(profiler_saw)
    counts.update(situation.differs)
    return dict(+counts)


@pytest.mark.parametrize("name", NAMES)
def test_counts_in_grad_mode(name, observed):
    situation, counts = SITUATIONS[name], observed("recorded", name)["grad"]["counts"]
    if situation.traces:
        assert situation.never
    elif situation.counts is None:
        assert counts == expected_counts(situation, observed("alone", name)["grad"]["counts"])
    else:
        assert counts == situation.counts
    assert not set(situation.never) & set(counts)


@pytest.mark.parametrize("name", IN_INFERENCE)
def test_counts_in_inference_mode(name, observed):
    situation, recorded = SITUATIONS[name], observed("recorded", name)["inference"]
    alone = observed("alone", name)["inference"]
    if situation.traces:
        assert situation.never
    elif situation.mode:
        assert recorded["signatures"] == alone["signatures"]
    elif situation.counts is None:
        assert recorded["counts"] == alone["counts"]
    else:
        assert recorded["counts"] == situation.counts
    assert not set(situation.never) & set(recorded["counts"])


def test_kinds_of_difference_are_documented(source_dir):
    page = (source_dir / "docs" / "beside-pytorch.md").read_text()
    kinds = {situation.kind for situation in SITUATIONS.values()} - {None}
    assert {kind for kind in kinds if f"| {kind} |" not in page} == set()
