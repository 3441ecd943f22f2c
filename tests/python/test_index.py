"""`opcov index` against torch: what it says of a file is what the recorder says of the call, what torch.load says of
the values, and what torch.load refuses it refuses too."""

import json
import os
import random
import subprocess
import zipfile

import opcov
import pytest
import torch
from odd_calls import ODD_CALLS
from oracle import canonical, described
from records import only_record
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

# What torch.save cannot write so that torch.load(weights_only=True) takes it: the word that the index has for it.
NOT_IN_A_FILE = {
    "generator": "torch._C.Generator",
    "nested_jagged": "a jagged nested tensor",
}
# What torch.load gives and is no operator's input.
NO_CALL = (
    "holds neither a dict with args and kwargs nor a tuple of inputs",
    "holds a dict without args;",
    "that torch.save does not write",
    "which no operator takes",
    "a jagged nested tensor is recorded as the plain tensors in it",
    "that torch.save writes for no operator's input",
    "a string that is not valid UTF-8",
)


@pytest.fixture(scope="session")
def index(build_dir):
    """index(*arguments): the finished process."""

    def run_index(*arguments):
        command = [str(part) for part in (build_dir / "bin" / "opcov", "index", *arguments)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)

    return run_index


def lines(done):
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def signature_of(index, path, *arguments):
    (line,) = lines(index(path, *arguments))
    assert line["input"] == str(path)
    return line["signature"]


class SavingMode(TorchDispatchMode):
    """Saves the inputs of the first call of an operator before it runs."""

    def __init__(self, op, path):
        super().__init__()
        self._op, self._path = op, path

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if str(func) == self._op and not self._path.exists():
            with torch.utils._python_dispatch._disable_current_modes():
                save_call(self._path, func, args, kwargs)
        return func(*args, **kwargs)


def save_call(path, func, args, kwargs):
    def in_a_file(value):
        return {"opcov:memory_format": str(value)} if isinstance(value, torch.memory_format) else value

    torch.save({"op": str(func), "stage": "", **tree_map(in_a_file, {"args": args, "kwargs": kwargs})}, path)


@pytest.mark.parametrize("name", [name for name in ODD_CALLS if name != "mkldnn"])
def test_a_saved_call_has_the_recorded_signature(index, name, tmp_path):
    op, prepare = ODD_CALLS[name]
    path = tmp_path / "call.pt"
    with torch.inference_mode():
        with SavingMode(op, path):
            prepare()()
        with opcov.record(tmp_path / "r", ops=("aten::*", "quantized::*")):
            prepare()()
    if name in NOT_IN_A_FILE:
        done = index(path)
        assert done.returncode == 2 and NOT_IN_A_FILE[name] in done.stderr
        return
    recorded = [json.loads(text) for text in only_record(tmp_path / "r").calls()]
    recorded = [canonical({k: v for k, v in call.items() if k != "output"}) for call in recorded if call["op"] == op]
    assert canonical(signature_of(index, path)) in recorded


def test_an_index_covers_the_calls_that_were_saved(index, build_dir, tmp_path):
    x, w = torch.ones(2, 3), torch.ones(4, 3)
    with torch.inference_mode(), opcov.record(tmp_path / "r", ops="aten::linear"):
        with opcov.stage("dit"):
            torch.nn.functional.linear(x, w)
            torch.nn.functional.linear(x[:1], w)
    torch.save({"op": "aten.linear.default", "stage": "dit", "args": (x, w), "kwargs": {}}, tmp_path / "a.pt")
    assert index(tmp_path, "-o", tmp_path / "m.jsonl").returncode == 0
    report = subprocess.run(
        [build_dir / "bin" / "opcov", "report", tmp_path / "r", "--inputs", tmp_path / "m.jsonl"], capture_output=True
    )
    covered = {
        row["signature"]["args"][0]["shape"][0]: [
            found["input"] for found in row["same_structural_signature_ncu_inputs"]
        ]
        for row in json.loads(report.stdout)["rows"]
    }
    assert covered == {2: [str(tmp_path / "a.pt")], 1: []}


def assert_line_is(line, loaded):
    if not isinstance(loaded, dict):
        loaded = {"args": loaded if isinstance(loaded, (tuple, list)) else [loaded]}
    signature = line["signature"]
    assert canonical(signature["args"]) == canonical(described(loaded.get("args", [])))
    kwargs = {key: described(value) for key, value in loaded.get("kwargs", {}).items()}
    assert canonical(signature["kwargs"]) == canonical(kwargs)


def assert_agrees_with_torch(index, path, weights_only=True):
    """Whether the index took the file. It has to be right where it does, and to be right to refuse where not."""
    done = index(path, "--op", "aten::x", "--no-sha256")
    assert done.returncode in (0, 2), done.stderr
    try:
        with torch.serialization.safe_globals([torch._utils._rebuild_nested_tensor]):  # torch 2.15 wants to be told
            loaded = torch.load(path, map_location="cpu", weights_only=weights_only)
    except Exception as error:
        assert done.returncode == 2, f"torch.load refuses this: {error}\n{done.stdout}"
        return False
    if done.returncode == 2:
        first = done.stderr.splitlines()[0]
        assert first.startswith(f"opcov: {path}: ")
        assert any(reason in first for reason in NO_CALL), f"{first}\nbut torch.load gives {loaded}"
        return False
    (line,) = lines(done)
    assert_line_is(line, loaded)
    return True


def sample_files(folder, dtype):
    """A file of the first sample of every tenth operator in PyTorch's database that takes the dtype."""
    for number, op in enumerate(op_db[::10]):
        if dtype not in op.supported_dtypes("cpu"):
            continue
        sample = next(iter(op.sample_inputs("cpu", dtype)), None)
        if sample is None:
            continue
        path = folder / f"{number}.pt"
        try:
            torch.save({"args": (sample.input, *sample.args), "kwargs": sample.kwargs}, path)
        except TypeError:  # a memory format, or a function
            path.unlink(missing_ok=True)
            continue
        yield path


def test_inputs_of_pytorchs_operator_database(index, tmp_path):
    loaded = {str(path): torch.load(path, weights_only=False) for path in sample_files(tmp_path, torch.float32)}
    assert len(loaded) > 30
    refused = index(tmp_path, "--op", "aten::x").stderr.splitlines()[:-1]
    assert len(refused) < 15
    for text in refused:
        path, reason = text.removeprefix("opcov: ").split(": ", 1)
        assert any(known in reason for known in (*NO_CALL, "which is none of torch's own types")), text
        del loaded[path]
    indexed = lines(index(*loaded, "--op", "aten::x"))
    assert {line["input"] for line in indexed} == set(loaded)
    for line in indexed:
        assert_line_is(line, loaded[line["input"]])


x = torch.arange(24.0).reshape(4, 6)
VALUES = {
    "bool": True,
    "huge": 2**70,
    "negative": -(2**63),
    "text": "\u00e9\U0001f600",
    "bytes": b"\x00\xff",
    "set": {1, 2},
    "size": torch.Size([2, 3]),
    "complex": complex(float("nan"), -float("inf")),
    "device": torch.device("cuda:1"),
    "dtypes": [torch.bfloat16, torch.float8_e5m2, torch.uint16, torch.quint4x2, torch.int1, torch.complex32],
    "layouts": [torch.strided, torch.sparse_csr, torch._mkldnn],
    "qscheme": torch.per_channel_affine,
    "dict": {"a": [x], 1: None, "b": {}},
    "lists_of_optional_tensors": [[None, x, None], []],
    "view_of_a_large_tensor": torch.zeros(1000, 1000)[5:7, 3:5],
    "expanded": x[:1].expand(7, 6),
    "shared": (x, x[1:], x.t()),
    "empty": [torch.empty(0, 3), torch.empty(())],
    "parameter": torch.nn.Parameter(x.clone()),
    "buffer": torch.nn.Buffer(x.clone()),
    "conjugated": x.to(torch.complex64).conj(),
    "negated": torch._neg_view(x),
    "of_small_floats": x.to(torch.float8_e4m3fn),
    "of_booleans": x > 3,
    "of_unsigned": x.to(torch.uint16),
    "sparse_coo": x.to_sparse(),
    "sparse_csr": x.to_sparse_csr(),
    "sparse_csc": x.to_sparse_csc(),
    "sparse_bsr": x.to_sparse_bsr((2, 3)),
    "nested": torch.nested.nested_tensor([x, x[:2]]),
    "jagged": torch.nested.nested_tensor([x, x[:2]], layout=torch.jagged),
    "quantised": torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),
    "quantised_by_channel": torch.quantize_per_channel(x, torch.ones(4), torch.zeros(4), 0, torch.qint8),
    "meta": torch.empty(3, 5, device="meta"),
    "module": torch.nn.Linear(2, 3),
    "state_dict": torch.nn.Linear(2, 3).state_dict(),
    "slice": slice(1, 2),
    "numpy": x.numpy(),
    "generator": torch.Generator(),
    "function": os.system,
}
REFUSED = {"huge", "bytes", "set", "jagged", "module", "slice", "numpy", "generator", "function"}


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("name", VALUES)
def test_value(index, name, protocol, tmp_path):
    path = tmp_path / "call.pt"
    torch.save({"args": (VALUES[name], 1), "kwargs": {"other": VALUES[name]}}, path, pickle_protocol=protocol)
    if name in REFUSED and protocol > 3:
        assert index(path, "--op", "aten::x").returncode == 2
        return
    # torch.load's weights_only does not know the opcodes of later protocols.
    assert assert_agrees_with_torch(index, path, weights_only=protocol < 4) == (name not in REFUSED)


def test_a_refusal_names_what_is_not_torchs(index, tmp_path):
    torch.save({"args": (os.system,)}, tmp_path / "a.pt")
    torch.save({"args": (torch.nn.Linear(1, 1),)}, tmp_path / "b.pt")
    done = index(tmp_path, "--op", "aten::x")
    assert done.returncode == 2 and done.stdout == ""
    first, second, last = done.stderr.splitlines()
    assert first.startswith(f"opcov: {tmp_path}/a.pt: its pickle names posix.system, which is none of torch's own")
    assert second.startswith(f"opcov: {tmp_path}/b.pt: its pickle names torch.nn.modules.linear.Linear, ")
    assert last == "opcov: nothing was written, because 2 of 2 files cannot be indexed"


def test_the_older_format_is_refused_with_the_remedy(index, tmp_path):
    torch.save({"args": (x,)}, tmp_path / "a.pt", _use_new_zipfile_serialization=False)
    done = index(tmp_path / "a.pt", "--op", "aten::x")
    assert done.returncode == 2
    assert "the format that torch.save wrote before version 1.6; load it and save it again" in done.stderr


def test_a_program_is_refused(index, tmp_path):
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 3)), tmp_path / "a.pt")
    done = index(tmp_path / "a.pt", "--op", "aten::x")
    assert done.returncode == 2 and "holds a TorchScript program" in done.stderr


def test_a_large_file_is_hardly_read(build_dir, tmp_path):
    path = tmp_path / "large.pt"
    with torch._subclasses.fake_tensor.FakeTensorMode():
        large, small = torch.empty(10 << 28), torch.empty(3, dtype=torch.int16)
    with torch.serialization.skip_data(materialize_fake_tensors=True):
        torch.save((large, small), path)
    assert path.stat().st_size > 10 << 30
    with open(tmp_path / "m.jsonl", "w") as out:
        command = [build_dir / "bin" / "opcov", "index", path, "--op", "aten::add.Tensor", "--no-sha256"]
        process = subprocess.Popen(command, stdout=out)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    read = dict(line.split(": ") for line in open(f"/proc/{process.pid}/io").read().splitlines())
    assert process.wait() == 0
    (line,) = (tmp_path / "m.jsonl").read_text().splitlines()
    assert json.loads(line)["signature"]["args"] == [described(large), described(small)]
    assert int(read["rchar"]) < 1 << 20


def rewritten(source, target, change):
    """The archive with another pickle, its storages as they were."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            new.writestr(entry.filename, change(data) if entry.filename.endswith("/data.pkl") else data)


def mutated(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data))
        kind = rng.random()
        if kind < 0.6:
            data[at] = rng.choice((rng.randrange(256), data[at] ^ 1, data[rng.randrange(len(data))]))
        elif kind < 0.8:
            del data[at : at + rng.randrange(1, 9)]
        else:
            data[at:at] = data[at - rng.randrange(9) : at]
    return bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_pickles_are_taken_only_where_torch_takes_them(index, seed, tmp_path):
    rng = random.Random(seed)
    good = [value for name, value in VALUES.items() if name not in REFUSED]
    source, target = tmp_path / "source.pt", tmp_path / "target.pt"
    for _ in range(60):
        value = rng.choice(good)
        torch.save({"args": (value, torch.ones(2, 3)), "kwargs": {"other": value}}, source)
        rewritten(source, target, lambda data: mutated(data, rng))
        assert_agrees_with_torch(index, target)


def test_a_manifest_is_written_once_and_whole(index, tmp_path):
    torch.save({"args": (x,)}, tmp_path / "a.pt")
    manifest = tmp_path / "m.jsonl"
    arguments = (tmp_path, "--op", "aten::sin", "-o", manifest)
    done = index(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"Wrote {manifest}\n")
    written = manifest.read_text()
    again = index(*arguments)
    assert again.returncode == 2 and "--force" in again.stderr
    (tmp_path / "b.pt").write_text("no snapshot")
    bad = index(*arguments, "--force")
    assert bad.returncode == 2 and manifest.read_text() == written
    assert bad.stderr.splitlines()[0] == f"opcov: {tmp_path}/b.pt: is no file of torch.save's"


def test_command_lines_that_are_refused(index, tmp_path):
    torch.save({"args": (x,)}, tmp_path / "a.pt")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.pt")
    os.symlink("loop.pt", tmp_path / "loop.pt")
    a, op = tmp_path / "a.pt", ("--op", "aten::sin")
    for arguments, words in (
        ((a,), "does not say of which operator it holds the inputs; name it by opcov index --op"),
        ((a, "--op", "sin"), "--op sin is no operator's name"),
        ((a, a, *op), "given twice"),
        ((a, *op, "-o", a, "--force"), "is one of the files read"),
        ((tmp_path / "empty", *op), "holds no snapshots (*.pt)"),
        ((tmp_path / "missing.pt", *op), "no such file or folder"),
        ((tmp_path / "pipe.pt", *op), "is a pipe"),
        ((tmp_path / "loop.pt", *op), "loop.pt"),
        ((), "SNAPSHOTS"),
    ):
        done = index(*arguments)
        assert done.returncode == 2 and words in done.stderr, (arguments, done.stderr)
    assert torch.equal(torch.load(a)["args"][0], x)


def test_many_bad_files_are_a_few_lines(index, tmp_path):
    for number in range(25):
        (tmp_path / f"{number:02}.pt").write_text("no snapshot")
    told = index(tmp_path).stderr.splitlines()
    assert len(told) == 22
    assert told[-2:] == [
        "opcov: and 5 more files like these",
        "opcov: nothing was written, because 25 of 25 files cannot be indexed",
    ]
