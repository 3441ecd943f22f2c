"""The recorder and a Python TorchDispatchMode see the same multiset of signatures under inference_mode."""

import math

import opcov
import oracle
import pytest
import records
import torch


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


def sparse_csr():
    return ones(3, 4).to_sparse_csr()


def nested():
    return torch.nested.nested_tensor([ones(2, 3), ones(4, 3)], layout=torch.strided)


# Each case: inputs are made outside the recording, then one expression is run.
CASES = {
    "linear": (lambda: (ones(2, 3), ones(4, 3), ones(4)), torch.nn.functional.linear),
    "linear_without_bias": (lambda: (ones(2, 3), ones(4, 3)), torch.nn.functional.linear),
    "conv3d": (lambda: (ones(1, 2, 4, 4, 4), ones(3, 2, 3, 3, 3)), lambda x, w: torch.conv3d(x, w, padding=1)),
    "conv3d_same": (lambda: (ones(1, 2, 4, 4, 4), ones(3, 2, 3, 3, 3)), lambda x, w: torch.conv3d(x, w, padding="same")),
    "to_dtype": (lambda: (ones(2, 3),), lambda x: x.to(torch.uint8)),
    "to_same": (lambda: (ones(2, 3),), lambda x: x.to(torch.float32)),
    "to_device": (lambda: (ones(2, 3),), lambda x: x.to("cpu", torch.float64, non_blocking=True, copy=True)),
    "to_other": (lambda: (ones(2, 3), ones(1, dtype=torch.int8)), lambda x, y: x.to(y)),
    "to_memory_format": (lambda: (ones(1, 2, 3, 4, 5),), lambda x: x.to(memory_format=torch.channels_last_3d)),
    "list_of_tensors": (lambda: (ones(2, 3), ones(2, 5)), lambda x, y: torch.cat([x, y], 1)),
    "long_list": (lambda: tuple(ones(1, i + 1) for i in range(40)), lambda *x: torch.cat(x, 1)),
    "list_of_optional_tensors": (lambda: (ones(3, 4, 5), torch.tensor([0, 2])), lambda x, i: x[:, i, None]),
    "optional_tensor_absent": (lambda: (ones(2, 3),), lambda x: torch.nn.functional.layer_norm(x, (3,))),
    "scalar": (lambda: (ones(2),), lambda x: torch.add(x, x, alpha=2.5)),
    "scalar_default": (lambda: (ones(2),), lambda x: torch.add(x, x, alpha=1)),
    "scalar_of_other_type": (lambda: (ones(2),), lambda x: torch.add(x, x, alpha=1.0)),
    "small_scalar": (lambda: (ones(2),), lambda x: torch.clamp(x, min=1e-12, max=1e16)),
    "wrapped_float": (lambda: (ones(2),), lambda x: x * 2.5),
    "wrapped_int": (lambda: (ones(2),), lambda x: x * 3),
    "wrapped_bool": (lambda: (ones(2, dtype=torch.bool),), lambda x: x & True),
    "wrapped_complex": (lambda: (ones(2, dtype=torch.complex64),), lambda x: x * (1 - 2j)),
    "wrapped_nan": (lambda: (ones(2),), lambda x: x * math.nan),
    "wrapped_infinity": (lambda: (ones(2),), lambda x: x - math.inf),
    "nan_scalar": (lambda: (ones(2),), lambda x: x.fill_(math.nan)),
    "infinite_scalar": (lambda: (ones(2),), lambda x: torch.nan_to_num(x, posinf=math.inf, neginf=-math.inf)),
    "complex_scalar": (lambda: (ones(2, dtype=torch.complex128),), lambda x: x.fill_(1.5 - 2j)),
    "bool": (lambda: (ones(2, 3),), lambda x: x.sum(0, keepdim=True)),
    "string": (lambda: (ones(2, 3),), lambda x: torch.nn.functional.gelu(x, approximate="tanh")),
    "dtype": (lambda: (ones(2),), lambda x: x.sum(dtype=torch.float64)),
    "layout_and_device": (lambda: (ones(2),),
                          lambda x: torch.zeros_like(x, layout=torch.strided, device="cpu", dtype=torch.bfloat16)),
    "memory_format": (lambda: (ones(1, 2, 3, 4),), lambda x: x.contiguous(memory_format=torch.channels_last)),
    "factory": (lambda: (), lambda: torch.empty(2, 3, dtype=torch.int16, device="cpu")),
    "no_tensor_at_all": (lambda: (), lambda: torch.ops.aten.result_type.Scalar_Scalar(1, 2.0)),
    "arange": (lambda: (), lambda: torch.arange(2, 10, 3)),
    "generator": (lambda: (torch.Generator(),), lambda g: torch.randn(3, generator=g)),
    "several_outputs": (lambda: (ones(2, 3),), lambda x: torch.max(x, 1)),
    "list_output": (lambda: (ones(6, 3),), lambda x: torch.split(x, [1, 2, 3])),
    "no_output": (lambda: (ones(2, 2), ones(2, 2)), lambda x, y: torch._foreach_add_([x, y], 1.0)),
    "number_output": (lambda: (ones(1),), lambda x: x.item()),
    "bool_output": (lambda: (ones(2), ones(2)), torch.equal),
    "in_place": (lambda: (ones(2),), lambda x: x.add_(1)),
    "out": (lambda: (ones(2), ones(2)), lambda x, y: torch.add(x, x, out=y)),
    "expanded": (lambda: (ones(1, 3).expand(5, 3), ones(4, 3)), torch.nn.functional.linear),
    "sliced": (lambda: (ones(4, 6)[:, 1:4], ones(4, 3)), torch.nn.functional.linear),
    "transposed": (lambda: (ones(3, 4).t(), ones(5, 3)), torch.nn.functional.linear),
    "channels_last_3d": (lambda: (ones(1, 2, 4, 4, 4).to(memory_format=torch.channels_last_3d), ones(3, 2, 1, 1, 1)),
                         torch.conv3d),
    "zero_size": (lambda: (ones(0, 3), ones(4, 3)), torch.nn.functional.linear),
    "zero_dimensions": (lambda: (torch.tensor(2.0),), lambda x: x + x),
    "float8": (lambda: (ones(2, 3).to(torch.float8_e4m3fn),), lambda x: x.to(torch.bfloat16)),
    "unsigned_16": (lambda: (ones(2).to(torch.uint16),), lambda x: x.to(torch.int32)),
    "complex_dtype": (lambda: (ones(2, dtype=torch.complex64),), lambda x: x.conj().resolve_conj()),
    "quantised": (lambda: (torch.quantize_per_tensor(ones(2), 0.1, 0, torch.quint8),), lambda x: x.dequantize()),
    "qscheme": (lambda: (torch.quantize_per_tensor(ones(2), 0.1, 0, torch.quint8),), lambda x: x.qscheme()),
    "sparse_coo": (lambda: (ones(3, 4).to_sparse(), ones(4, 2)), torch.sparse.mm),
    "sparse_csr": (lambda: (sparse_csr(), ones(4, 2)), lambda x, y: x @ y),
    "mkldnn": (lambda: (ones(2, 3).to_mkldnn(),), lambda x: x.to_dense()),
    "nested_strided": (lambda: (nested(),), lambda x: x * 2),
    "dropout_gives_its_input_back": (lambda: (ones(2),), lambda x: torch.nn.functional.dropout(x, 0.5, False)),
    "contiguous_gives_its_input_back": (lambda: (ones(2),), torch.ops.aten.contiguous),
    "view": (lambda: (ones(2, 3),), lambda x: x.view(3, 2).permute(1, 0)[1:]),
    "attention": (lambda: (ones(1, 2, 4, 8), ones(1, 2, 4, 8)),
                  lambda q, k: torch.nn.functional.scaled_dot_product_attention(q, k, k, scale=0.5)),
    "conv_transpose2d": (lambda: (ones(1, 2, 5, 5), ones(2, 3, 3, 3)), torch.conv_transpose2d),
    "tensor_from_numbers": (lambda: (), lambda: torch.tensor([1.0, 2.0], dtype=torch.float64)),
    "index_put": (lambda: (ones(3), torch.tensor([1]), ones(1)), lambda x, i, v: x.index_put_([i], v)),
}


def both_views(make, run, folder, ops):
    """(seen by the oracle, seen by opcov) for one expression, each on inputs of its own."""
    torch.manual_seed(0)
    with torch.inference_mode():
        inputs = make()
        with oracle.Oracle() as seen:
            run(*inputs)
        inputs = make()
        with opcov.record(folder, ops=ops):
            run(*inputs)
    recorded = records.read_folder(folder)
    assert len(recorded) == 1, "one process, one record file"
    return seen, recorded[0]


@pytest.mark.parametrize("case", CASES)
def test_every_operator_of_a_call_is_seen_alike(case, tmp_path):
    make, run = CASES[case]
    seen, recorded = both_views(make, run, tmp_path, "*")
    assert seen.calls, "the case makes no call at all"
    assert recorded.calls == seen.calls
    assert recorded.returned_input == seen.returned_input


def test_jagged_tensors_are_recorded_where_their_plain_tensors_appear(tmp_path):
    with torch.inference_mode():
        jagged = torch.nested.nested_tensor([ones(2, 3), ones(4, 3)], layout=torch.jagged)
        weight = ones(5, 3)
        with opcov.record(tmp_path, ops="aten::linear,aten::mm,aten::addmm,aten::matmul"):
            torch.nn.functional.linear(jagged, weight)
    (recorded,) = records.read_folder(tmp_path)
    assert sum(recorded.calls.values()) == 1
    assert '"shape":[6,3]' in next(iter(recorded.calls))


def test_meta_and_fake_tensors_are_no_calls(tmp_path):
    from torch._subclasses.fake_tensor import FakeTensorMode

    with opcov.record(tmp_path, ops="*"):
        torch.empty(2, 3, device="meta") @ torch.empty(3, 2, device="meta")
        with FakeTensorMode():
            torch.nn.functional.linear(torch.empty(2, 3), torch.empty(4, 3))
    assert not [key for record in records.read_folder(tmp_path) for key in record.calls if "linear" in key or "mm" in key]


def test_a_mode_above_does_not_double_the_count(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path), oracle.Oracle() as seen:
        torch.nn.functional.linear(ones(2, 3), ones(4, 3))
    (recorded,) = records.read_folder(tmp_path)
    assert recorded.by_name == {("", "aten.linear.default"): 1}
    assert sum(count for key, count in seen.calls.items() if "aten.linear.default" in key) == 1
