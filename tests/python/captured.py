"""Calls whose inputs are to come back from a snapshot as they were, and what is captured of a program."""

import json
from pathlib import Path

import torch
import torch.nn.functional as F
from odd_calls import ODD_CALLS
from records import records_in


def _base(dtype=torch.float32):
    return torch.arange(4096.0).reshape(64, 64).to(dtype)


def _views_of_one():
    base = _base()
    return [base[2:4, 8:40], base[3:5, 8:40], base[40:42, 8:40]]


# Each makes the inputs of one call: the operator, its arguments, what calls it. The same inputs each time.
INPUTS = {
    "plain": lambda: (torch.ops.aten.linear.default, (_base()[:2], _base())),
    "slice": lambda: (torch.ops.aten.linear.default, (_base()[5:7, 3:10], _base()[:4, :7])),
    "expanded": lambda: (torch.ops.aten.add.Tensor, (torch.ones(3, 1).expand(3, 1000), torch.ones(1000))),
    "transposed": lambda: (torch.ops.aten.mm.default, (_base().t(), _base()[:, 1::2])),
    "overlapping": lambda: (torch.ops.aten.unfold.default, (torch.arange(10.0).as_strided((4, 3), (2, 1), 1), 0, 2, 1)),
    "in_place": lambda: (torch.ops.aten.mul_.Tensor, (_base()[1], torch.full((64,), 3.0))),
    "in_place_with_itself": lambda: (torch.ops.aten.add_.Tensor, (_base()[1],) * 2),
    "out": lambda: (torch.ops.aten.mul.out, (_base()[1], _base()[2]), {"out": torch.full((64,), -1.0)}),
    "shared": lambda: (torch.ops.aten.cat.default, (_views_of_one(),)),
    "same_twice": lambda: (torch.ops.aten.mul.Tensor, (_base()[:1],) * 2),
    "conjugated": lambda: (torch.ops.aten.mm.default, (_complex().conj()[None], _complex()[:, None])),
    "negative": lambda: (torch.ops.aten.clone.default, (_complex().conj().imag,)),
    "complex_half": lambda: (torch.ops.aten.clone.default, (torch.ones(4, dtype=torch.complex32),)),
    "float8": lambda: (torch.ops.aten.clone.default, (_base()[:2].to(torch.float8_e4m3fn),)),
    "float8_scale": lambda: (torch.ops.aten.clone.default, (torch.ones(4).to(torch.float8_e8m0fnu),)),
    "uint16": lambda: (torch.ops.aten.clone.default, (torch.arange(9).to(torch.uint16)[3:],)),
    "bools": lambda: (torch.ops.aten.masked_select.default, (_base(), _base() > 4000)),
    "optional_tensors": lambda: (torch.ops.aten.index.Tensor, (_base(), [None, torch.tensor([1, 5])])),
    "missing_bias": lambda: (torch.ops.aten.conv1d.default, (_base()[None], torch.ones(2, 64, 3), None, [2])),
    "no_dimension": lambda: (torch.ops.aten.mul.Tensor, (torch.tensor(2.0), torch.tensor([3.0]))),
    "empty": lambda: (torch.ops.aten.cat.default, ([torch.ones(0, 4), _base()[9:9, :4], torch.ones(2, 4)],)),
    "channels_last": lambda: (
        torch.ops.aten.clone.default,
        (torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last),),
        {"memory_format": torch.preserve_format},
    ),
    "parameter": lambda: (torch.ops.aten.clone.default, (torch.nn.Parameter(_base()[:2].clone()),)),
}
# Places in the storage that are too far from its begin to be kept; the place in a page is.
FAR = {
    "far": lambda: (torch.ops.aten.clone.default, (torch.arange(1e6)[700_001:700_003],)),
    "far_and_shared": lambda: (torch.ops.aten.add.Tensor, _far_rows()),
    "far_bytes": lambda: (torch.ops.aten.clone.default, (torch.zeros(10**6, dtype=torch.uint8)[99_999:],)),
}
REFUSED = {
    "sparse": (lambda: (torch.ops.aten.clone.default, (torch.eye(3).to_sparse(),)), "sparse"),
    "sparse_csr": (lambda: (torch.ops.aten.clone.default, (torch.eye(3).to_sparse_csr(),)), "sparse"),
    "quantised": (
        lambda: (torch.ops.aten.clone.default, (torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8),)),
        "quantised",
    ),
    "nested": (lambda: (torch.ops.aten.clone.default, (torch.nested.nested_tensor([torch.ones(2)]),)), "nested"),
    "zeros_without_memory": (lambda: (torch.ops.aten.clone.default, (torch._efficientzerotensor((3,)),)), "zeros"),
}


def _complex():
    return torch.complex(torch.arange(4.0), torch.arange(4.0) - 2)


def _far_rows():
    base = torch.arange(1e6).reshape(1000, 1000)
    return base[700:702, 3:], base[701:703, 3:]


def call_all(inputs, stage):
    """Makes each call in the stage of its name."""
    for name, make in inputs.items():
        op, args, *kwargs = make()
        with stage(name):
            op(*args, **(kwargs[0] if kwargs else {}))


def call_odd_ones(stage):
    for name, (_, prepare) in ODD_CALLS.items():
        call = prepare()
        with stage(f"odd_{name}"):
            call()


def linear(rows, columns=8):
    return F.linear(torch.ones(rows, columns), torch.ones(4, columns))


def snapshots(folder):
    """All that a job captured, by name."""
    return {path.name: path for path in sorted(Path(folder, "snapshots").glob("*"))}


def notices(folder, kind):
    """{text: count} over all records of a folder."""
    return {
        line["text"]: line["count"]
        for record in records_in(folder)
        for line in record.of_kind("notice")
        if line["kind"] == kind
    }


def load(path):
    return torch.load(path, weights_only=True)


def tensors_in(value):
    """With None for each place of a list that holds none."""
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [tensor for item in items for tensor in tensors_in(item)]


def layout(tensor):
    return tensor.dtype, tensor.shape, tensor.stride(), tensor.is_conj(), tensor.is_neg(), type(tensor.data)


def memory(tensors):
    """For each pair of tensors, how many bytes the second one lies behind the first; None where they share nothing."""

    def span(tensor):
        last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
        begin = tensor.data_ptr()
        return begin, begin + (last + 1) * tensor.itemsize * bool(tensor.numel())

    spans = [span(tensor) for tensor in tensors]
    return [b[0] - a[0] if a[0] < b[1] and b[0] < a[1] else None for a in spans for b in spans]


def plain(tensor):
    """The values as bytes: some types cannot be compared."""
    return tensor.resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8)


def uncovered(report):
    """{digest: stage and operator} of a report's rows without a snapshot."""
    return {
        row["signature_sha256"]: (row["signature"]["stage"], row["signature"]["op"])
        for row in json.loads(Path(report).read_text())["rows"]
        if not row["same_structural_signature_ncu_inputs"]
    }


def rows_captured(folder):
    """How many rows the first input of each captured call has; everything in the folder has to be a snapshot."""
    return sorted(load(path)["args"][0].shape[0] for path in snapshots(folder).values())
