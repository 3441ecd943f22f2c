"""Every sample of an operator of PyTorch's database: the recorder and a Python mode see the same signatures."""

import database
import opcov
import torch
from oracle import SignatureMode
from records import records_in


def make(calls):
    with torch.inference_mode():
        for call in calls:
            call()


def test_inference_mode(op, tmp_path):
    with torch.inference_mode():
        calls = database.samples(op)
    assert calls, "no sample of this operator runs"
    with SignatureMode(("aten::*",)) as mode:
        make(calls)
    with opcov.record(tmp_path, ops="aten::*"):
        make(calls)
    database.COMPARED.update(operators=1, samples=len(calls), calls=mode.calls.total())
    records = records_in(tmp_path)
    recorded = sum((record.calls() for record in records), start=type(mode.calls)())
    missing, extra = mode.calls - recorded, recorded - mode.calls
    assert not missing and not extra, f"the mode alone saw {missing}\nthe recorder alone saw {extra}"
    assert set().union(*(record.returns_input() for record in records)) == mode.returns_input


def test_grad_mode_is_left_as_it_was(op, without_opcov, tmp_path):
    """Outputs and gradients are the same to the bit without opcov's hooks, with a recording, and with it paused."""
    alone = without_opcov[database.label(op)]
    with opcov.record(tmp_path, ops="aten::*"):
        recorded = database.results_and_gradients(op)
        opcov.pause()
        paused = database.results_and_gradients(op)
    assert recorded == alone
    assert paused == alone
    database.COMPARED.update({"operators with their gradients": 1})
