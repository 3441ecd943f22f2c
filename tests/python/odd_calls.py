"""Calls that are awkward to describe, one of each kind. Each entry: the operator that must be seen, and a function
that prepares the inputs and returns the call."""

import torch
import torch.nn.functional as F

ODD_CALLS = {}


def odd_call(op):
    def add(prepare):
        ODD_CALLS[prepare.__name__] = (op, prepare)
        return prepare

    return add


def _x():
    return torch.linspace(-1, 1, 24).reshape(4, 6)


def _simple(name, op, call):
    """An odd call on one (4, 6) float tensor."""
    ODD_CALLS[name] = (op, lambda: (lambda x=_x(): call(x)))


# Numbers
_simple("wrapped_float", "aten.mul.Tensor", lambda x: x * 2.5)
_simple("wrapped_int", "aten.add.Tensor", lambda x: x + 3)
_simple("wrapped_bool", "aten.add.Tensor", lambda x: x + True)
_simple("wrapped_complex", "aten.mul.Tensor", lambda x: x * (1.5 - 2j))
_simple("wrapped_nan", "aten.mul.Tensor", lambda x: x * float("nan"))
_simple("wrapped_number_first", "aten.rsub.Scalar", lambda x: 2.5 - x)
_simple("scalar_int_and_alpha", "aten.add.Tensor", lambda x: torch.add(x, x, alpha=2))
_simple("scalar_infinities", "aten.clamp.default", lambda x: torch.clamp(x, -float("inf"), float("inf")))
_simple("scalar_negative_zero", "aten.add.Scalar", lambda x: torch.ops.aten.add.Scalar(x, -0.0))
_simple("scalar_huge_and_tiny", "aten.clamp.default", lambda x: torch.clamp(x, 1e-300, 1e16))
_simple("scalar_boundary_of_exponents", "aten.clamp.default", lambda x: torch.clamp(x, 1e15, 123456789012345680.0))
_simple("scalar_complex_nan", "aten.add.Scalar", lambda x: torch.ops.aten.add.Scalar(x, complex(float("nan"), 1)))
_simple("float_argument", "aten.dropout.default", lambda x: F.dropout(x, 0.25, training=False))
_simple("list_of_floats", "aten.upsample_nearest1d.vec", lambda x: F.interpolate(x[None], scale_factor=2.0))
_simple("int64_extremes", "aten.full.default", lambda x: torch.full((1,), -(2**63)))
_simple("bool_argument", "aten.mean.dim", lambda x: x.mean(1, keepdim=True))
_simple("string_argument", "aten.gelu.default", lambda x: F.gelu(x, approximate="tanh"))
_simple("einsum_string_and_list", "aten.einsum.default", lambda x: torch.einsum("ij,kj->ik", x, x))
_simple("scalar_alpha_of_other_type", "aten.add.Tensor", lambda x: torch.add(x, x, alpha=1.0))
_simple("complex_scalar", "aten.fill_.Scalar", lambda x: x.to(torch.complex128).fill_(1.5 - 2j))


# Names
_simple("dtype_argument", "aten.to.dtype", lambda x: x.to(torch.bfloat16))
_simple("dtype_in_kwargs", "aten.sum.dim_IntList", lambda x: x.sum(0, dtype=torch.float64))
_simple("device_argument", "aten.to.device", lambda x: x.to(torch.device("cpu"), torch.float16))
_simple("to_other", "aten.to.other", lambda x: torch.ops.aten.to.other(x, x))
_simple("to_unchanged", "aten.to.dtype", lambda x: x.to(x.dtype))
_simple("memory_format_argument", "aten.clone.default", lambda x: x.clone(memory_format=torch.contiguous_format))
_simple("memory_format_preserve", "aten.to.dtype", lambda x: x.to(torch.int8, memory_format=torch.preserve_format))
_simple("layout_argument", "aten.zeros_like.default", lambda x: torch.zeros_like(x, layout=torch.strided))
_simple("no_tensor_at_all", "aten.ones.default", lambda x: torch.ones(2, 3, dtype=torch.int16, device="cpu"))
_simple("numbers_alone", "aten.result_type.Scalar_Scalar", lambda x: torch.ops.aten.result_type.Scalar_Scalar(1, 2.0))
_simple("no_argument_at_all", "aten.empty.memory_format", lambda x: torch.empty(()))
_simple("generator", "aten.bernoulli_.float", lambda x: x.bernoulli_(0.5, generator=torch.Generator()))
_simple("storage", "aten.set_.source_Storage", lambda x: torch.empty(0).set_(x.untyped_storage()))
_simple("quantized", "aten.quantize_per_tensor.default", lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8))


@odd_call("aten.qscheme.default")
def qscheme_output():
    x = torch.quantize_per_tensor(_x(), 0.1, 0, torch.quint8)
    return lambda: torch.ops.aten.qscheme(x)


# Lists, options, several or no results
_simple("list_of_tensors", "aten.cat.default", lambda x: torch.cat([x, x[:1], x[1:]]))
_simple("empty_list", "aten.sum.dim_IntList", lambda x: torch.ops.aten.sum.dim_IntList(x, []))
_simple("several_outputs", "aten.max.dim", lambda x: x.max(1))
_simple("long_list", "aten.cat.default", lambda x: torch.cat([x] * 40))
_simple("list_output", "aten.split.Tensor", lambda x: x.split(2))
_simple("tensor_none", "aten.layer_norm.default", lambda x: F.layer_norm(x, (6,)))
_simple("trailing_defaults_left_out", "aten.softmax.int", lambda x: torch.softmax(x, -1))
_simple("in_place", "aten.add_.Tensor", lambda x: x.add_(x))
_simple("number_output", "aten.item.default", lambda x: x[0, 0].item())
_simple("dtype_output", "aten.result_type.Scalar", lambda x: torch.result_type(x, 1j))
_simple("number_equal_output", "aten.equal.default", lambda x: torch.equal(x, x))


@odd_call("aten.index.Tensor")
def list_of_optional_tensors():
    x, rows = _x(), torch.tensor([0, 2])
    return lambda: x[:, rows]


@odd_call("aten.index_put_.default")
def optional_tensors_written():
    # A number instead of the ones would be filled in, since torch 2.15 by an operator of another name.
    x, columns, ones = _x(), torch.tensor([0, 2]), torch.ones(2)
    return lambda: x.__setitem__((slice(None), columns), ones)


@odd_call("aten.add.out")
def out_argument():
    x, out = _x(), torch.empty(4, 6)
    return lambda: torch.add(x, x, out=out)


@odd_call("aten._foreach_add_.Scalar")
def no_output():
    x = _x()
    return lambda: torch._foreach_add_([x, x], 1.0)


@odd_call("aten.native_layer_norm.default")
def undefined_tensor():
    x = _x()
    return lambda: torch.native_layer_norm(x, (6,), None, None, 1e-5)


# Shapes, strides, layouts
_simple("expanded_stride_0", "aten.linear.default", lambda x: F.linear(x[:1].expand(5, 6), x))
_simple("transposed", "aten.linear.default", lambda x: F.linear(x.t(), x[:, :4]))
_simple("sliced", "aten.sin.default", lambda x: x[1::2, ::3].sin())
_simple("view_of_a_view", "aten.permute.default", lambda x: x.view(6, 4).permute(1, 0)[1:])
_simple("contiguous_gives_its_input_back", "aten.contiguous.default", lambda x: torch.ops.aten.contiguous(x))
_simple("dropout_gives_its_input_back", "aten.dropout.default", lambda x: F.dropout(x, 0.5, training=False))
_simple("unsigned_16", "aten.to.dtype", lambda x: x.to(torch.uint16).to(torch.int32))
_simple("conjugate_view", "aten.resolve_conj.default", lambda x: x.to(torch.complex64).conj().resolve_conj())
_simple("tensor_from_numbers", "aten.lift_fresh.default", lambda x: torch.tensor([1.0, 2.0]))
_simple("zero_size", "aten.linear.default", lambda x: F.linear(x[:0], x))
_simple("zero_dimensional", "aten.sin.default", lambda x: x[0, 0].sin())
_simple("sparse_coo", "aten.to_sparse.default", lambda x: x.to_sparse())
_simple("sparse_csr", "aten.to_sparse_csr.default", lambda x: x.to_sparse_csr())
_simple("mkldnn", "aten.to_mkldnn.default", lambda x: x.to_mkldnn())
_simple("float8", "aten.to.dtype", lambda x: x.to(torch.float8_e4m3fn).to(torch.float32))
_simple("complex_dtype", "aten.fft_rfft.default", lambda x: torch.fft.rfft(x))


@odd_call("aten.conv3d.default")
def channels_last_3d():
    x = torch.ones(1, 2, 4, 4, 4).to(memory_format=torch.channels_last_3d)
    w = torch.ones(3, 2, 3, 3, 3).to(memory_format=torch.channels_last_3d)
    return lambda: F.conv3d(x, w, padding=1)


@odd_call("aten.conv3d.padding")
def padding_by_name():
    x, w = torch.ones(1, 2, 4, 4, 4), torch.ones(3, 2, 3, 3, 3)
    return lambda: F.conv3d(x, w, padding="same")


@odd_call("aten.matmul.default")
def sparse_matmul():
    x = _x().to_sparse_csr()
    return lambda: x @ torch.ones(6, 2)


@odd_call("aten.linear.default")
def nested_strided():
    x, w = torch.nested.nested_tensor([_x(), _x()[:2]]), torch.ones(3, 6)
    return lambda: F.linear(x, w)


@odd_call("aten.linear.default")
def nested_jagged():
    x, w = torch.nested.nested_tensor([_x(), _x()[:2]], layout=torch.jagged), torch.ones(3, 6)
    return lambda: F.linear(x, w)


@odd_call("aten.conv_transpose2d.input")
def kernel_with_calls_of_its_own():
    x, w = torch.ones(2, 3, 8, 8), torch.ones(3, 4, 3, 3)
    return lambda: F.conv_transpose2d(x, w)


@odd_call("aten.scaled_dot_product_attention.default")
def attention():
    q = torch.ones(1, 2, 5, 8)
    return lambda: F.scaled_dot_product_attention(q, q, q, is_causal=True)


@odd_call("quantized.linear_prepack.default")
def custom_class():
    w = torch.quantize_per_tensor(torch.ones(3, 4), 0.1, 0, torch.qint8)
    return lambda: torch.ops.quantized.linear_prepack(w, None)
