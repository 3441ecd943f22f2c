"""Calls that cannot be replayed, one by one: what is said, the exit status, and that the others are replayed."""

import json

import pytest
import torch
from capturing import capturing  # noqa: F401 - a fixture
from records_by_hand import call, tensor, write_record

X = tensor(2, 3)
SIN = call("aten.sin.default", X, output=X, stage="good")


def outcome(done, stage):
    (one,) = [one for one in done.calls if one["stage"] == stage]
    return one["status"], one["reason"]


def bad(op, *args, **parts):
    return call(op, *args, stage="bad", **parts)


def what_torch_says(function, *args):
    with pytest.raises(RuntimeError) as raised:
        function(*args)
    return str(raised.value)


ONE_BAD = {
    "another_shape": (bad("aten.sin.default", X, output=tensor(2, 4)), 1, "differs",
                      "output shape: [2,4] recorded, [2,3] replayed"),
    "another_stride": (bad("aten.sin.default", X, output=tensor(2, 3, stride=[1, 2])), 1, "differs",
                       "output stride: [1,2] recorded, [3,1] replayed"),
    "another_dtype": (bad("aten.sin.default", X, output=tensor(2, 3, dtype="torch.float64")), 1, "differs",
                      'output dtype: "torch.float64" recorded, "torch.float32" replayed'),
    "no_tensor": (bad("aten.sin.default", X), 1, "differs",
                  'output: null recorded, {"dtype":"torch.float32","shape":[2,3],"stride":[3,1]} replayed'),
    "a_part": (bad("aten.split.Tensor", X, 1, output=[tensor(1, 3), tensor(2, 3)]), 1, "differs",
               "output 1 shape: [2,3] recorded, [1,3] replayed"),
    "a_number_for_a_bool": (bad("aten.equal.default", X, X, output=1), 1, "differs",
                            "output: 1 recorded, false replayed"),
    "no_operator": (bad("vllm.rms_norm.default", X, output=X), 2, "refused",
                    "there is no operator vllm.rms_norm.default; give the library that registers it by --load"),
    "no_overload": (bad("aten.sin.complex", X, output=X), 2, "refused", "there is no operator aten.sin.complex; "
                    "give the library that registers it by --load"),
    "a_string": (bad("aten.sin.default", "x", output=X), 2, "refused",
                 'argument self is "x", the operator takes Tensor'),
    "no_dtype": (bad("aten.sin.default", tensor(1, dtype="torch.float7"), output=X), 2, "refused",
                 "this torch has no dtype torch.float7"),
    "too_many": (bad("aten.sin.default", X, X, output=X), 2, "refused",
                 "the call has 2 arguments, the operator takes 1"),
    "too_few": (bad("aten.mul.Tensor", X, output=X), 2, "refused",
                "the call has no argument other, which the operator needs"),
    "no_such_keyword": (bad("aten.sin.default", X, output=X, alpha=1), 2, "refused",
                        "the operator has no argument alpha"),
    "raises": (bad("aten.mm.default", X, X, output=X), 3, "raised",
               what_torch_says(torch.mm, torch.ones(2, 3), torch.ones(2, 3))),
    "no_memory_for_it": (bad("aten.sin.default", tensor(2**50), output=X), 3, "raised", None),
}


@pytest.mark.parametrize("name", ONE_BAD)
def test_one_call_fails_and_the_others_do_not(replay, tmp_path, name):
    one, status, word, reason = ONE_BAD[name]
    write_record(tmp_path / "records", one, SIN)
    done = replay("--records", tmp_path / "records", "--json", status=status)
    assert outcome(done, "good") == ("replayed", None)
    assert outcome(done, "bad")[0] == word and outcome(done, "bad")[1] == (reason or outcome(done, "bad")[1])
    totals = json.loads(done.stdout)
    assert [totals[key] for key in ("replayed", word)] == [1, 1]


def test_a_line_for_each_call_and_a_summary(replay, tmp_path):
    digests = write_record(tmp_path / "records", SIN, ONE_BAD["raises"][0], ONE_BAD["another_shape"][0])
    lines = replay("--records", tmp_path / "records", status=3).stdout.splitlines()
    assert lines[0].startswith(f"{digests[0][:16]} good aten.sin.default: replayed on cpu, made inputs, ")
    assert lines[1:] == [
        f"{digests[1][:16]} bad aten.mm.default: raised: {ONE_BAD['raises'][3]}",
        f"{digests[2][:16]} bad aten.sin.default: differs: {ONE_BAD['another_shape'][3]}",
        "3 calls: 1 replayed, 1 differs, 1 raised",
    ]


def test_digests_choose_calls(replay, tmp_path):
    calls = [call("aten.sin.default", tensor(n), output=tensor(n)) for n in range(1, 400)]
    digests = write_record(tmp_path / "records", *calls)
    done = replay(digests[7][:12], digests[3], "--json", "--records", tmp_path / "records")
    assert [one["signature_sha256"] for one in done.calls] == [digests[7], digests[3]]


def test_digits_that_begin_several_digests(replay, tmp_path):
    calls = [call("aten.sin.default", tensor(n), output=tensor(n)) for n in range(1, 800)]
    digests = write_record(tmp_path / "records", *calls)
    short = {digest[:4]: digest for digest in digests}
    first = next(digest for digest in digests if short[digest[:4]] != digest)
    both = sorted(digest for digest in digests if digest[:4] == first[:4])
    done = replay(first[:4], "--records", tmp_path / "records", status=2)
    assert done.stderr == (
        f"opcov-replay: {first[:4]} is the beginning of {len(both)} digests: {', '.join(both)}; give more digits\n"
    )


USAGE = {
    "nothing": ([], "no calls are given; name snapshots or --records, see opcov-replay --help"),
    "unknown_digest": (["0123456789", "--records", "{records}"],
                       "no signature's digest in the records begins with 0123456789"),
    "no_records": (["0123456789"], "0123456789: a digest needs the records that hold it: give --records"),
    "digest_behind_records": (["--records", "{records}", "0123"], "0123: no such file or folder; a digest stands before "
                              "--records, which takes every name behind it"),
    "no_runs": (["--records", "{records}", "--warm-up", "0", "--repeat", "0"],
                "--warm-up 0 and --repeat 0 leave nothing to run"),
    "no_gpu": (["--records", "{records}", "--device", "cuda"], "--device cuda: torch finds no GPU here"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(replay, tmp_path, name):
    arguments, text = USAGE[name]
    write_record(tmp_path / "records", SIN)
    arguments = [argument.format(records=tmp_path / "records") for argument in arguments]
    done = replay(*arguments, status=2, CUDA_VISIBLE_DEVICES="")
    assert (done.stdout, done.stderr) == ("", f"opcov-replay: {text}\n")


def test_a_snapshot_that_cannot_be_read(replay, tmp_path):
    torch.save({"op": "aten.sin.default", "args": (torch.ones(3),)}, tmp_path / "good.pt")
    (tmp_path / "bad.pt").write_bytes(b"no zip file")
    done = replay(tmp_path, "--json", status=2)
    assert [(one["status"], one["snapshot"]) for one in done.calls] == [
        ("refused", None),
        ("replayed", str(tmp_path / "good.pt")),
    ]
    assert done.calls[0]["reason"] == f"{tmp_path}/bad.pt: is no file of torch.save's"


def test_what_a_snapshot_states_has_to_come_out(replay, tmp_path):
    """Of its own values the numbers have to be equal too."""
    for name, output in (("right", True), ("wrong", False)):
        saved = {"op": "aten.equal.default", "args": (torch.ones(3), torch.ones(3)), "output": output}
        torch.save(saved, tmp_path / f"{name}.pt")
    done = replay(tmp_path, "--json", status=1)
    assert [(one["status"], one["reason"]) for one in done.calls] == [
        ("replayed", None),
        ("differs", "output: false recorded, true replayed"),
    ]


SPELT = {
    "none_written_out": {"args": (torch.ones(2, 3), torch.ones(4, 3), None)},
    "by_keyword": {"args": (torch.ones(2, 3),), "kwargs": {"weight": torch.ones(4, 3), "bias": torch.ones(4)}},
    "all_by_keyword": {"args": (), "kwargs": {"input": torch.ones(2, 3), "bias": None, "weight": torch.ones(4, 3)}},
}


@pytest.mark.parametrize("name", SPELT)
def test_a_snapshot_by_hand_may_spell_its_arguments_otherwise(replay, tmp_path, name):
    saved = {"op": "aten.linear.default", **SPELT[name]}
    torch.save(saved, tmp_path / "right.pt")
    torch.save({**saved, "output": {"dtype": "torch.float32", "shape": [9], "stride": [1]}}, tmp_path / "wrong.pt")
    done = replay(tmp_path, "--json", status=1)
    assert [(one["status"], one["reason"]) for one in done.calls] == [
        ("replayed", None),
        ("differs", "output shape: [9] recorded, [2,4] replayed"),
    ]


def test_settings_are_those_of_the_record(replay, tmp_path):
    """put_ has no deterministic way, and says so where one is asked for."""
    x, index = tensor(4), tensor(2, dtype="torch.int64")
    one = call("aten.put_.default", x, index, tensor(2), output=x)
    write_record(tmp_path / "as_ever", one, environment={"deterministic_algorithms": False})
    write_record(tmp_path / "deterministic", one, environment={"deterministic_algorithms": True})
    warned = {"deterministic_algorithms": True, "deterministic_algorithms_warn_only": True}
    write_record(tmp_path / "warned", one, environment=warned)
    replay("--records", tmp_path / "as_ever")
    replay("--records", tmp_path / "warned")
    done = replay("--records", tmp_path / "deterministic", "--json", status=3)
    assert done.calls[0]["reason"].startswith("put_ does not have a deterministic implementation")


@pytest.mark.parametrize("states", [{}, {"stage": "a"}, {"output": None}, {"stage": "a", "output": None}])
def test_settings_are_those_of_the_record_for_snapshots_too(replay, tmp_path, states):
    """Also where a snapshot that was saved by hand states less than the record does."""
    x, index = torch.zeros(4), torch.zeros(2, dtype=torch.int64)
    described = [tensor(4), tensor(2, dtype="torch.int64"), tensor(2)]
    if "output" in states:
        states = {**states, "output": {"dtype": "torch.float32", "shape": [4], "stride": [1]}}
    torch.save({"op": "aten.put_.default", "args": (x, index, torch.ones(2)), **states}, tmp_path / "put.pt")
    one = call("aten.put_.default", *described, output=tensor(4), stage="a")
    write_record(tmp_path / "records", one, environment={"deterministic_algorithms": True})
    replay(tmp_path / "put.pt")
    done = replay(tmp_path / "put.pt", "--records", tmp_path / "records", "--json", status=3)
    assert done.calls[0]["reason"].startswith("put_ does not have a deterministic implementation")
    # Of another call the settings are not taken.
    other = call("aten.put_.default", *described, output=tensor(4), stage="a", accumulate=True)
    write_record(tmp_path / "others", other, environment={"deterministic_algorithms": True})
    replay(tmp_path / "put.pt", "--records", tmp_path / "others")


@pytest.mark.parametrize("values", ["none", "random"])
def test_values_that_the_capture_made_up_are_made_again(replay, capturing, tmp_path, values):
    """The recorder does not know that a mask has as many true elements as the output has rows."""
    source = """
    x = torch.arange(60.0).view(20, 3)
    torch.masked_select(x, x > 40)
    torch.nn.functional.embedding(torch.tensor([0]), x[:1])
    """
    ops = "aten::masked_select,aten::embedding"
    capturing(source, OPCOV_OPS=ops, OPCOV_CAPTURE_VALUES=values)
    done = replay(tmp_path / "records" / "snapshots", "--json")
    assert [one["status"] for one in done.calls] == ["replayed", "replayed"]


def test_recorded_on_a_gpu_and_none_here(replay, tmp_path):
    on_gpu = tensor(2, 3, device="cuda:1")
    ones = call("aten.ones.default", [2], output=tensor(2, device="cuda:1"), device="cuda", pin_memory=False)
    write_record(tmp_path / "records", call("aten.sin.default", on_gpu, output=on_gpu), ones)
    done = replay("--records", tmp_path / "records", "--json", CUDA_VISIBLE_DEVICES="")
    assert [(one["status"], one["device"]) for one in done.calls] == [("replayed", "cpu")] * 2


def test_libraries_with_operators(replay, tmp_path, build_dir):
    library = build_dir / "tests" / "replay" / "libreplayed_operators.so"
    digests = write_record(tmp_path / "records", call("replayed.twice.default", X, output=X))
    done = replay("--records", tmp_path / "records", "--json", status=2)
    assert done.calls[0]["reason"].startswith("there is no operator replayed.twice.default")
    replay("--load", library, digests[0], "--records", tmp_path / "records")
    replay("--records", tmp_path / "records", "--load", library, "--load", library)
    done = replay("--records", tmp_path / "records", "--load", tmp_path / "none.so", status=2)
    assert done.stderr.startswith(f"opcov-replay: --load {tmp_path}/none.so: ")
