"""A replayed call is the recorded one: opcov-replay, recorded by opcov itself, gives the same signatures again."""

import json
from collections import Counter

import pytest
import torch
from captured import load, snapshots, tensors_in
from records import only_record

# Stages of calls that cannot be made of a signature alone, and why.
REFUSED = {
    "odd_quantized_input": "quantised",
    "odd_qscheme_output": "quantised",
    "odd_sparse_matmul": "layout",
    "odd_storage": "Storage",
}


def signatures_by_stage(folder):
    """{stage: Counter of the signatures recorded in it}, the calls outside of any stage left out."""
    found = {}
    for text, calls in only_record(folder).calls().items():
        found.setdefault(json.loads(text)["stage"], Counter())[text] += calls
    found.pop("", None)
    return found


def test_made_inputs_make_the_same_calls(replay, every_kind, tmp_path):
    replay("--records", every_kind, status=2, into=tmp_path)
    recorded, replayed = signatures_by_stage(every_kind), signatures_by_stage(tmp_path)
    assert {stage for stage in recorded if stage not in replayed} == set(REFUSED)
