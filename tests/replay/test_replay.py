"""A replayed call is the recorded one: opcov-replay, recorded by opcov itself, gives the same signatures again."""

import json
from collections import Counter

import pytest
from captured import layout, load, memory, plain, snapshots, tensors_in
from capturing import here
from oracle import canonical
from programs import finished, start_program
from records import only_record

# Stages with a call that cannot be made of its signature, and why.
REFUSED = {
    "odd_nested_strided": "a nested tensor",
    "odd_qscheme_output": "a quantised tensor",
    "odd_sparse_matmul": "torch.sparse_csr",
    "odd_storage": "an object (UntypedStorage)",
}


def calls_in_stages(folder, without_numbers=False):
    """Calls by signature, those outside of any stage left out: they make what the call needs."""
    found = Counter()
    for text, calls in only_record(folder).calls().items():
        signature = json.loads(text)
        if without_numbers and isinstance(signature["output"], (bool, int, float)):
            signature["output"] = "a number"
        if signature["stage"]:
            found[canonical(signature)] += calls
    return found


def facts(tensor):
    return tensor is not None and (layout(tensor), tensor.storage_offset(), plain(tensor).tolist())


def test_made_inputs_make_the_same_calls(replay, every_kind, tmp_path):
    done = replay("--records", every_kind, "--repeat", 2, "--json", status=2, into=tmp_path)
    refused = {call["stage"]: call["reason"] for call in done.calls if call["status"] == "refused"}
    assert {call["status"] for call in done.calls} == {"replayed", "refused"}
    assert refused.keys() == REFUSED.keys()
    assert all(why in refused[stage] for stage, why in REFUSED.items())
    recorded, replayed = (calls_in_stages(folder, without_numbers=True) for folder in (every_kind, tmp_path))
    missing = [json.loads(text)["stage"] for text in recorded if text not in replayed]
    assert sorted(missing) == sorted(REFUSED)
    assert set(replayed.values()) == {3} and not set(replayed) - set(recorded)


def test_snapshots_are_given_back_to_the_bit(replay, every_kind, tmp_path):
    """Captured while they are replayed, they are the same: values, strides, offsets, shared memory, bits."""
    done = replay(every_kind / "snapshots", "--json", status=2, into=tmp_path, OPCOV_CAPTURE="all")
    [refused] = [call for call in done.calls if call["status"] != "replayed"]
    given, again = (
        {name: path for name, path in snapshots(folder).items() if not name.startswith("_rank")}
        for folder in (every_kind, tmp_path)
    )
    missing = {name for name in given if name not in again}
    assert missing == {f"odd_storage_rank0_{refused['signature_sha256'][:16]}.pt"}
    for name in again:
        saved = load(given[name]), load(again[name])
        before, after = (tensors_in([one["args"], one["kwargs"]]) for one in saved)
        assert [facts(tensor) for tensor in after] == [facts(tensor) for tensor in before], name
        assert memory(after) == memory(before), name
    recorded, replayed = calls_in_stages(every_kind), calls_in_stages(tmp_path)
    assert {text for text, calls in replayed.items() if calls == 2} == set(replayed) <= set(recorded)


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """The folder of a program that trains a small network with what training needs most, gradients and all."""
    folder = tmp_path_factory.mktemp("training")
    source = """
    torch.set_grad_enabled(True)
    torch.manual_seed(0)
    from torch import nn
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(11, 16)
            self.image = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                                       nn.AdaptiveMaxPool2d(2), nn.Flatten(), nn.Linear(32, 16))
            self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
            self.recurrent = nn.LSTM(16, 16, batch_first=True)
            self.out = nn.Linear(16, 11)
        def forward(self, words, image):
            x = self.layer(self.words(words) + self.image(image)[:, None])
            return self.out(self.recurrent(x)[0][:, -1])
    network = Block()
    optimizer = torch.optim.AdamW(network.parameters())
    with opcov.stage("training"):
        for step in range(2):
            words, image = torch.randint(0, 11, (4, 5)), torch.randn(4, 3, 16, 16)
            loss = torch.nn.functional.nll_loss(network(words, image).log_softmax(-1), torch.randint(0, 11, (4,)))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    """
    settings = {"OPCOV": "1", "OPCOV_OPS": "aten::*"}
    assert finished(start_program(here(source), folder, **settings), 0).stderr_text.count("opcov: ") == 0
    return folder / "records"


def test_what_training_calls_is_replayed(replay, training):
    done = replay("--records", training, "--json")
    assert Counter(call["status"] for call in done.calls) == {"replayed": len(only_record(training).calls())}
    called = {call["op"].split(".")[1] for call in done.calls}
    indices = {"embedding_backward", "max_pool2d_with_indices_backward", "adaptive_max_pool2d_backward"}
    assert indices | {"nll_loss_backward", "native_batch_norm_backward", "convolution_backward"} <= called


def test_inputs_that_are_written_to_are_new_each_time(replay, program, tmp_path, records):
    """On its own output unsqueeze_ would be another call each time."""
    source = """
    import opcov
    with opcov.stage("a"):
        torch.ones(3).unsqueeze_(0)
    """
    program(source, OPCOV="1", OPCOV_OPS="aten::unsqueeze_")
    replay("--records", records, "--warm-up", 2, "--repeat", 3, into=tmp_path / "again")
    assert calls_in_stages(tmp_path / "again") == {text: 5 for text in calls_in_stages(records)}


def test_nothing_is_recorded_unless_asked_for(replay, every_kind, tmp_path):
    for switch in ({}, {"OPCOV": "1"}):
        done = replay("--records", every_kind, status=2, OPCOV_DIR=str(tmp_path / "none"), **switch)
        assert "opcov: " not in done.stderr
    assert not (tmp_path / "none").exists()
