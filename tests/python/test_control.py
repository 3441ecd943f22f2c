"""What is recorded, and when: steering a recording, choosing operators, guards, raised calls."""

import inspect
import json
import re

import opcov
import pytest
import torch
import torch.nn.functional as F
from records import Record, only_record, records_in

LINEAR = ("", "aten.linear.default")
X, W = torch.ones(2, 3), torch.ones(4, 3)


def linear(n=1):
    for _ in range(n):
        F.linear(X, W)


def test_pause_and_resume(tmp_path):
    with opcov.record(tmp_path):
        linear()
        opcov.pause()
        linear(5)
        assert opcov.recording()
        opcov.resume()
        linear(2)
    assert only_record(tmp_path).by_op() == {LINEAR: 3}


def test_stop_ends_the_file_and_start_opens_another(tmp_path):
    for n in (1, 2):
        opcov.start(tmp_path)
        linear(n)
        opcov.stop()
        linear(7)
    assert not opcov.recording()
    assert [(record.has_end, record.by_op()) for record in records_in(tmp_path)] == [
        (True, {LINEAR: 1}),
        (True, {LINEAR: 2}),
    ]
    assert [record.path.stem.split("_")[-1] == "2" for record in records_in(tmp_path)] == [False, True]


def test_start_ends_the_recording_under_way(tmp_path):
    opcov.start(tmp_path / "first")
    linear()
    with opcov.record(tmp_path / "second"):
        linear(2)
    assert only_record(tmp_path / "first").by_op() == {LINEAR: 1}
    assert only_record(tmp_path / "second").by_op() == {LINEAR: 2}


def test_flush_writes_the_counts_so_far(tmp_path):
    with opcov.record(tmp_path):
        assert opcov.record_file() == ""
        linear(3)
        opcov.flush()
        (line,) = Record(opcov.record_file()).of_kind("calls")
        assert line["calls"] == {"0": 3}
        linear()
    assert only_record(tmp_path).by_op() == {LINEAR: 4}


def test_live_counts_stand_in_the_sidecar(tmp_path):
    with opcov.record(tmp_path):
        linear(3)
        assert Record(opcov.record_file()).by_op() == {LINEAR: 3}


def test_reset_leaves_the_warm_up_out(tmp_path):
    with opcov.record(tmp_path):
        linear(10)
        X.to(torch.float64)
        opcov.reset()
        linear(2)
    assert only_record(tmp_path).by_op() == {LINEAR: 2}


def test_more_signatures_than_a_block_of_counters_holds(tmp_path):
    with opcov.record(tmp_path):
        for n in range(1, 1201):
            F.linear(torch.ones(n, 1), torch.ones(1, 1))
        live = Record(opcov.record_file()).calls()
    record = only_record(tmp_path)
    assert len(record.calls()) == 1200 and set(record.calls().values()) == {1}
    assert live == record.calls()


@pytest.mark.parametrize(
    "settings, text",
    [
        ({"devices": "gpu"}, "OPCOV_DEVICES=gpu is not understood; it takes cuda, cpu"),
        ({"ops": "@nonsense"}, "@nonsense"),
        ({"stage_ranges": "dit"}, "STAGE=GLOB"),
        ({"stage": "a=b"}, "OPCOV_STAGE"),
        ({"world_size": 4}, "rank"),
    ],
)
def test_start_raises_on_what_it_does_not_understand(settings, text, tmp_path):
    with pytest.raises(ValueError, match=text):
        opcov.start(tmp_path, **settings)
    assert not opcov.recording()


def test_every_setting_of_a_recording_is_an_argument(monkeypatch, tmp_path):
    monkeypatch.setenv("OPCOV_NO_SUCH", "1")
    with pytest.raises(ValueError) as error:
        opcov.start(tmp_path)
    known = set(re.findall(r"OPCOV_\w+", str(error.value).partition("there are")[2]))
    of_a_process = {"OPCOV_TYPED", "OPCOV_LIBRARY"}  # hooks and the library stay as they are
    arguments = {"OPCOV_" + name.upper() for name in inspect.signature(opcov.start).parameters}
    assert arguments - {"OPCOV_RANK", "OPCOV_WORLD_SIZE"} == known - of_a_process


def test_start_takes_no_unknown_argument(tmp_path):
    with pytest.raises(TypeError):
        opcov.start(tmp_path, operators="aten::mm")


def test_raised_calls_are_no_calls(tmp_path):
    with opcov.record(tmp_path):
        linear()
        with pytest.raises(RuntimeError):
            F.linear(X, torch.ones(4, 5))
        linear()
    record = only_record(tmp_path)
    assert record.by_op() == {LINEAR: 2}
    assert record.raised == {"aten.linear.default": 1}


def test_names_as_globs_overloads_and_python_names(tmp_path):
    cases = {
        "aten::to.dtype": {("", "aten.to.dtype"): 1},
        "aten.linear.default": {LINEAR: 1},
        "aten::to": {("", "aten.to.dtype"): 1, ("", "aten.to.dtype_layout"): 1},
        "aten::lin*": {LINEAR: 1},
    }
    for number, (ops, expected) in enumerate(cases.items()):
        with opcov.record(tmp_path / str(number), ops=ops):
            linear()
            X.to(torch.float64)
            X.cpu()
        assert only_record(tmp_path / str(number)).by_op() == expected, ops


def test_a_glob_that_matches_nothing_is_a_notice(tmp_path):
    with opcov.record(tmp_path, ops="aten::linear,aten::liner"):
        linear()
    assert "aten::liner" in only_record(tmp_path).notices["unmatched_glob"]["text"]


def test_operators_inside_another_call_are_guarded(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="aten::mm,aten::linear"):
        linear()
        torch.mm(X, W.t())
    assert only_record(tmp_path).by_op() == {LINEAR: 1, ("", "aten.mm.default"): 1}


def test_nested_counts_every_dispatch(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="aten::mm,aten::linear", nested=True):
        linear()
    assert only_record(tmp_path).by_op() == {LINEAR: 1, ("", "aten.mm.default"): 1}


def test_nested_with_a_stage_scoped_entry(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="dit=aten::mm", nested=True):
        linear()
        with opcov.stage("dit"):
            linear(2)
    assert only_record(tmp_path).by_op() == {("dit", "aten.mm.default"): 2}


@pytest.fixture(scope="module")
def mylib():
    """A user's library, defined while a recording is under way somewhere, with an operator written in Python."""
    library = torch.library.Library("mylib", "DEF")
    library.define("hidden_linear(Tensor x, Tensor w) -> Tensor")
    library.impl("hidden_linear", lambda x, w: F.linear(x, w), "CPU")
    library.define("total(Dict(str, Tensor) parts, str mode='sum') -> float")
    # No CPU key: tensors in a dictionary do not dispatch.
    total = lambda parts, mode="sum": float(sum(part.sum() for part in parts.values()))  # noqa: E731
    library.impl("total", total, "CompositeExplicitAutograd")
    yield library
    library._destroy()


def test_an_operator_registered_after_start(tmp_path):
    with opcov.record(tmp_path, ops="late::*"):
        linear()
        library = torch.library.Library("late", "DEF")
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x + x, "CPU")
        for _ in range(3):
            assert torch.equal(torch.ops.late.twice(X), X + X)
    assert only_record(tmp_path).by_op() == {("", "late.twice.default"): 3}


def test_an_operator_in_python_guards_what_it_calls(mylib, tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="aten::linear"):
        torch.ops.mylib.hidden_linear(X, W)
        linear()
    assert only_record(tmp_path).by_op() == {LINEAR: 1}


def test_transparent_operators_do_not_guard(mylib, tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="aten::linear", transparent="mylib::*"):
        torch.ops.mylib.hidden_linear(X, W)
        linear()
    assert only_record(tmp_path).by_op() == {LINEAR: 2}


def test_a_dict_argument(mylib, tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="mylib::total"):
        torch.ops.mylib.total({"a": X})
    ((text, calls),) = only_record(tmp_path).calls().items()
    tensor = {"dtype": "torch.float32", "shape": [2, 3], "stride": [3, 1]}
    signature = json.loads(text)
    assert (signature["args"], signature["output"], calls) == ([{"dict": [["a", tensor]]}], 6.0, 1)


def test_calls_on_other_devices_are_left_out(tmp_path):
    with opcov.record(tmp_path / "cuda", devices="cuda"):
        linear()
    with opcov.record(tmp_path / "cpu", devices=["cuda", "cpu"]):
        linear()
    left_out = only_record(tmp_path / "cuda")  # made for the notice alone
    assert not left_out.calls() and "OPCOV_DEVICES" in left_out.notices["no_selected_call"]["text"]
    assert only_record(tmp_path / "cpu").by_op() == {LINEAR: 1}


def test_an_input_given_back_on_some_calls_only(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path, ops="aten::to.dtype"):
        X.to(X.dtype)
        X.to(torch.float64)
        X.to(X.dtype)
    record = only_record(tmp_path)
    (unchanged,) = record.returns_input()
    assert record.calls()[unchanged] == 2 and len(record.calls()) == 2


def test_many_threads_count_every_call(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    with opcov.record(tmp_path), ThreadPoolExecutor(8) as pool:
        list(pool.map(linear, [500] * 16))
    assert only_record(tmp_path).by_op() == {LINEAR: 8000}


def test_backward_on_autograd_threads_is_seen(tmp_path):
    x = torch.ones(2, 3, requires_grad=True)
    with opcov.record(tmp_path, ops="aten::mul.Tensor"):
        (x * x).sum().backward()
    assert only_record(tmp_path).by_op() == {("", "aten.mul.Tensor"): 3}
