"""The recorder and a Python mode see the same multiset of signatures under inference_mode."""

import sys
from pathlib import Path

import opcov
import pytest
import torch
from odd_calls import ODD_CALLS
from oracle import DEFAULT_OPS, SignatureMode
from records import only_record

EVERYTHING = ("aten::*", "quantized::*")


def both(call, folder, ops):
    """(mode, record) of the same call, seen by each alone. `call` takes a stage function."""
    with torch.inference_mode():
        call(opcov.stage)  # what happens only once in a process happens here
        with SignatureMode(ops) as mode:
            call(mode.stage)
        with opcov.record(folder, ops=ops):
            call(opcov.stage)
    return mode, only_record(folder)


def assert_same(mode, record):
    calls = record.calls()
    missing, extra = mode.calls - calls, calls - mode.calls
    assert not missing and not extra, f"the mode alone saw {missing}\nthe recorder alone saw {extra}"
    assert record.returns_input() == mode.returns_input
    assert record.of_kind("end") == [{"record": "end", "unrecorded": 0}]


@pytest.mark.parametrize("name", ODD_CALLS)
def test_odd_call(name, tmp_path):
    op, prepare = ODD_CALLS[name]
    mode, record = both(lambda stage: prepare()(), tmp_path, EVERYTHING)
    assert any(f'"op":"{op}"' in text for text in mode.calls), f"{name} makes no call of {op}"
    assert_same(mode, record)


@pytest.fixture(scope="module")
def demo():
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "wan_demo"))
    import model

    wan = model.WanModel.build(torch.device("cpu"))

    def run(stage):
        clip = wan.generate(model.ClipSize(32, 32), steps=2, prompt_seed=0, stage=stage)
        with stage("output"):
            model.to_pixels(clip).numpy()

    return run


@pytest.mark.parametrize("ops", [DEFAULT_OPS, ("aten::*",)], ids=["default operators", "every operator"])
def test_demo_model(demo, ops, tmp_path):
    mode, record = both(demo, tmp_path, ops)
    assert {stage for stage, _ in record.by_op()} >= {"dit", "vae", "output"}
    assert_same(mode, record)
