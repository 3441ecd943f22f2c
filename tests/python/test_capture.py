"""What OPCOV_CAPTURE saves of a program's calls, against the inputs themselves: torch.load gives them back."""

import json
import subprocess

import pytest
import torch
from captured import (
    FAR,
    INPUTS,
    REFUSED,
    layout,
    load,
    memory,
    notices,
    plain,
    rows_captured,
    snapshots,
    tensors_in,
    uncovered,
)
from capturing import start
from odd_calls import ODD_CALLS
from oracle import digest
from programs import finished
from records import only_record

ALL = {"OPCOV_OPS": "aten::*"}


@pytest.fixture
def opcov(build_dir):
    """opcov(*arguments): the finished process of the offline tool, which has to say yes."""

    def run(*arguments):
        command = [str(part) for part in (build_dir / "bin" / "opcov", *arguments)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def of_each_kind(tmp_path_factory):
    """The folder of a program that made each call once."""
    folder = tmp_path_factory.mktemp("each")
    source = """
    every = {**captured.INPUTS, **captured.FAR, **{k: make for k, (make, _) in captured.REFUSED.items()}}
    captured.call_all(every, opcov.stage)
    captured.call_odd_ones(opcov.stage)
    """
    assert finished(start(folder, source, **ALL), 0).stderr_text.count("opcov: ") == 0
    return folder / "records"


def snapshot_of(folder, stage, op):
    saved = [load(path) for name, path in snapshots(folder).items() if name.startswith(f"{stage}_rank0_")]
    (one,) = [one for one in saved if one["op"] == str(op)]
    return one


@pytest.mark.parametrize("name", [*INPUTS, *FAR])
def test_inputs_come_back_as_they_were(of_each_kind, name):
    op, args, *kwargs = {**INPUTS, **FAR}[name]()
    saved = snapshot_of(of_each_kind, name, op)
    assert (saved["op"], saved["stage"], saved["rank"]) == (str(op), name, 0)
    assert isinstance(saved["args"], tuple) and isinstance(saved["kwargs"], dict)
    given = tensors_in([args, *kwargs])
    back = tensors_in([saved["args"], saved["kwargs"]])
    assert [layout(tensor) for tensor in back] == [layout(tensor) for tensor in given]
    assert memory(back) == memory(given)
    for one, other in zip(back, given, strict=True):
        assert torch.equal(plain(one), plain(other))
        if name in INPUTS:
            assert one.storage_offset() == other.storage_offset()
        else:
            assert (one.storage_offset() - other.storage_offset()) * one.itemsize % 4096 == 0


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_saved_is_listed_with_the_reason(of_each_kind, name):
    reasons = [text for text in notices(of_each_kind, "not_captured") if f"{name} aten.clone.default " in text]
    assert len(reasons) == 1 and REFUSED[name][1] in reasons[0].split(":")[0]
    assert not any(file.startswith(f"{name}_rank0_") for file in snapshots(of_each_kind))


def test_every_recorded_call_is_captured_or_listed_or_ran_no_kernel(of_each_kind, opcov, tmp_path):
    opcov("report", of_each_kind, "--inputs", manifest(opcov, of_each_kind, tmp_path), "-o", tmp_path / "report.json")
    record = only_record(of_each_kind)
    not_run = {digest(json.loads(text)) for text in record.returns_input()}
    listed = "".join(notices(of_each_kind, "not_captured"))
    left = {key: at for key, at in uncovered(tmp_path / "report.json").items() if key not in not_run}
    assert {key: at for key, at in left.items() if key[:16] not in listed} == {}
    (captured_count,) = notices(of_each_kind, "captured").values()
    assert captured_count == len(snapshots(of_each_kind)) > len(ODD_CALLS)


def manifest(opcov, folder, tmp_path):
    opcov("index", folder / "snapshots", "-o", tmp_path / "inputs.jsonl")
    return tmp_path / "inputs.jsonl"


def test_a_small_view_of_a_large_tensor_is_a_small_file(of_each_kind):
    sizes = {name.split("_rank0_")[0]: path.stat().st_size for name, path in snapshots(of_each_kind).items()}
    assert sizes["far"] < 6000 and sizes["slice"] < 6000 and sizes["expanded"] < 6000


def test_a_place_that_is_too_far_is_stated(of_each_kind):
    def stated(name):
        return snapshot_of(of_each_kind, name, FAR[name]()[0])["storage_offsets"]

    assert stated("far") == {"args.0": 700_001} and stated("far_bytes") == {"args.0": 99_999}
    assert stated("far_and_shared") == {"args.0": 700_003, "args.1": 701_003}
    assert "storage_offsets" not in snapshot_of(of_each_kind, "slice", INPUTS["slice"]()[0])


def test_what_a_report_calls_uncovered(capturing, records, opcov, tmp_path):
    """The loop: record, profile some, report; then capture what is missing, and nothing is left."""
    calls = """
    for rows in {rows}:
        with opcov.stage("a" if rows % 2 else "b"):
            captured.linear(rows)
    """
    capturing(calls.format(rows="range(1, 9)"), OPCOV_CAPTURE="b=aten::linear")
    assert rows_captured(records) == [2, 4, 6, 8]
    inputs = manifest(opcov, records, tmp_path)
    opcov("report", records, "--inputs", inputs, "-o", tmp_path / "report.json")
    missing = uncovered(tmp_path / "report.json")
    assert sorted(missing.values()) == [("a", "aten.linear.default")] * 4

    again = tmp_path / "again"
    again.mkdir()
    wanted = f"missing:{tmp_path / 'report.json'}"
    assert capturing(calls.format(rows="range(1, 7)"), folder=again, OPCOV_CAPTURE=wanted) == []
    assert rows_captured(again / "records") == [1, 3, 5]
    ((text, count),) = notices(again / "records", "not_called").items()
    (last,) = [key for key in missing if f"a aten.linear.default {key[:16]}" in text]
    assert count == 1 and not any(name.endswith(f"{last[:16]}.pt") for name in snapshots(again / "records"))
    both = tmp_path / "both.jsonl"
    opcov("index", records / "snapshots", again / "records" / "snapshots", "-o", both)
    opcov("report", records, "--inputs", both, "-o", tmp_path / "after.json")
    assert set(uncovered(tmp_path / "after.json")) == {last}


def test_of_several_outputs_the_one_that_is_uncovered(capturing, records, opcov, tmp_path):
    source = "for ones in (1, 2, 3): torch.nonzero((torch.arange(9) < ones).float())"
    capturing(source, OPCOV_OPS="aten::nonzero", OPCOV_CAPTURE="")
    opcov("report", records, "-o", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    report["rows"] = [row for row in report["rows"] if row["signature"]["output"]["shape"] == [2, 1]]
    (tmp_path / "report.json").write_text(json.dumps(report))
    wanted = f"missing:{tmp_path / 'report.json'}"
    assert capturing(source, OPCOV_OPS="aten::nonzero", OPCOV_CAPTURE=wanted) == []
    (path,) = snapshots(records).values()
    assert load(path)["output"]["shape"] == [2, 1] and load(path)["args"][0].tolist() == [1, 1] + [0] * 7
    assert notices(records, "not_captured") == notices(records, "not_called") == {}


def test_operators_and_stages(capturing, records):
    source = """
    for stage in ("dit", "vae"):
        with opcov.stage(stage):
            captured.linear(2), torch.ones(2).to(torch.int8)
    """
    ops = "aten::linear,aten::to.*"
    capturing(source, OPCOV_OPS=ops, OPCOV_CAPTURE="dit=aten::linear,vae=aten::to.*")
    saved = [load(path) for path in snapshots(records).values()]
    assert sorted((one["stage"], one["op"]) for one in saved) == [
        ("dit", "aten.linear.default"),
        ("vae", "aten.to.dtype"),
    ]


def test_an_entry_that_no_call_matches_is_told_of(capturing, records):
    source = """
    with opcov.stage("dit"):
        captured.linear(2)
    """
    unmet = ["aten::liner", "vae=aten::linear", "aten::conv3d"]
    said = capturing(source, OPCOV_CAPTURE=",".join(["dit=aten::linear", *unmet]))
    told = notices(records, "unmatched_capture")
    assert [text.split("'")[1] for text in told] == unmet
    assert said == [f"opcov: {text}" for text in told] and len(snapshots(records)) == 1


def test_nothing_is_captured_unless_asked(capturing, records):
    assert capturing("captured.linear(2)", OPCOV_CAPTURE="") == []
    assert snapshots(records) == {} and not (records / "snapshots").exists()


@pytest.mark.parametrize("values", ["none", "random"])
def test_values_stay_where_they_are(capturing, records, values):
    source = "captured.F.linear(torch.full((3, 99), 7.0)[:, 9:], torch.full((2, 90), 7.0))"
    capturing(source, OPCOV_CAPTURE_VALUES=values)
    (path,) = snapshots(records).values()
    x, weight = load(path)["args"]
    assert [(t.shape, t.stride(), t.dtype) for t in (x, weight)] == [
        ((3, 90), (99, 1), torch.float32),
        ((2, 90), (90, 1), torch.float32),
    ]
    if values == "none":
        assert x.is_meta and weight.is_meta and load(path)["storage_offsets"] == {"args.0": 9}
    else:
        assert x.storage_offset() == 9 and len(set(x.flatten().tolist())) > 200
        assert float(x.min()) >= -1 and float(x.max()) < 1 and not (x == 7).any()


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float8_e5m2", "complex64", "int64", "uint16", "int8", "bool"]
)
def test_random_values_are_sensible_in_each_type(capturing, records, dtype):
    source = f"torch.full((4096,), 0).to(torch.{dtype}).clone()"
    capturing(source, OPCOV_OPS="aten::clone", OPCOV_CAPTURE_VALUES="random")
    (path,) = snapshots(records).values()
    (x,) = load(path)["args"]
    assert x.dtype == getattr(torch, dtype)
    parts = torch.view_as_real(x) if x.is_complex() else x
    numbers = set(parts.to(torch.float64).flatten().tolist())
    if x.is_floating_point() or x.is_complex():
        assert len(numbers) > 50 and min(numbers) >= -1 and max(numbers) <= 1 and min(numbers) < 0 < max(numbers)
    else:
        assert numbers == {0.0, 1.0}


def listed_left_out(folder, reason):
    """The short digests of what was left out for a reason, and how many there were."""
    ((text, count),) = [(text, n) for text, n in notices(folder, "not_captured").items() if text.startswith(reason)]
    return [name.split()[-1] for name in text.removeprefix(reason + ": ").split(", ")], count


@pytest.mark.parametrize(
    "setting, value, kept",
    [("COUNT", 3, [1, 2, 3]), ("BYTES", 3 * 128 + 6 * 32, [1, 2, 3]), ("BYTES", 3 * 128 + 6 * 32 - 1, [1, 2])],
)
def test_a_budget_that_is_used_up(capturing, records, setting, value, kept):
    source = "for rows in range(1, 7): captured.linear(rows); captured.linear(rows)"
    assert capturing(source, **{f"OPCOV_CAPTURE_MAX_{setting}": str(value)}) == []
    assert rows_captured(records) == kept
    left, count = listed_left_out(records, f"past OPCOV_CAPTURE_MAX_{setting}={value}")
    every = {digest(json.loads(text))[:16] for text in only_record(records).calls()}
    assert count == 6 - len(kept) == len(left) and set(left) | {name[-19:-3] for name in snapshots(records)} == every
