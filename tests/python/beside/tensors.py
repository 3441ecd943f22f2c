"""Tensors that are more than dtype, shape and stride: subclasses, layouts, and views that are computed when read."""

import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode

from beside.networks import training_step, weight, x
from beside.registry import situation


class QuantisedWeight(torch.Tensor):
    """int8 values and a scale that pass for a float weight, in the way of torchao."""

    @staticmethod
    def __new__(cls, values, scale):
        return torch.Tensor._make_wrapper_subclass(cls, values.shape, dtype=scale.dtype, strides=values.stride())

    def __init__(self, values, scale):
        self.values = values
        self.scale = scale

    def __tensor_flatten__(self):
        return ["values", "scale"], None

    @classmethod
    def __tensor_unflatten__(cls, inner, meta, size, stride):
        return cls(inner["values"], inner["scale"])

    def dequantize(self):
        return self.values.to(self.scale.dtype) * self.scale


class AnsweringDispatch(QuantisedWeight):
    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args, kwargs=None):
        if func is torch.ops.aten.detach.default:
            return cls(args[0].values, args[0].scale)
        return func(*(arg.dequantize() if isinstance(arg, cls) else arg for arg in args), **(kwargs or {}))


class AnsweringFunctions(QuantisedWeight):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is F.linear:
            inputs, w, *bias = args
            return F.linear(inputs, w.dequantize(), *bias)
        return super().__torch_function__(func, types, args, kwargs or {})

    __torch_dispatch__ = AnsweringDispatch.__torch_dispatch__


def quantised(kind):
    return kind(torch.randint(-8, 8, (3, 4), dtype=torch.int8), torch.tensor(0.5))


@situation()
def weight_that_answers_functions():
    inputs, w = x(), quantised(AnsweringFunctions)
    return lambda: F.linear(inputs, w)


# To autograd a wrapper is a tensor like any other: linear is taken apart above the wrapper's own answer. The profiler,
# further up still, sees linear, and all the rest as parts of it.
WRAPPED_LINEAR = {"aten.linear.default": -1, "aten.t.default": 1, "aten.to.dtype": 1, "aten.mul.Tensor": 1}


@situation("wrapper subclasses", {**WRAPPED_LINEAR, "aten.matmul.default": 1})
def weight_that_answers_dispatch():
    inputs, w = x(), quantised(AnsweringDispatch)
    return lambda: F.linear(inputs, w)


@situation("wrapper subclasses", {**WRAPPED_LINEAR, "aten.addmm.default": 1}, inference=False)
def training_step_with_a_quantised_weight():
    net, inputs = torch.nn.Linear(4, 3), torch.randn(2, 4, requires_grad=True)
    net.weight = torch.nn.Parameter(quantised(AnsweringDispatch), requires_grad=False)
    return lambda: training_step(net, inputs)


@situation()
def dynamically_quantised_linear():
    net, inputs = torch.nn.Sequential(torch.nn.Linear(4, 3)), x()
    net = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
    return lambda: net(inputs)


def nested(layout, **settings):
    return torch.nested.nested_tensor([torch.randn(2, 4), torch.randn(5, 4)], layout=layout, **settings)


@situation()
def nested_jagged():
    inputs, w = nested(torch.jagged), weight()
    return lambda: [F.linear(inputs, w), inputs * 2]


@situation("wrapper subclasses", {"aten.to.dtype": -1, "aten._to_copy.default": 1, "aten.to.dtype_layout": 1})
def nested_jagged_to():
    inputs = nested(torch.jagged)
    return lambda: inputs.to(torch.float64)


# What asks a jagged tensor for its parts answers from Python and is no operator; linear_backward is made there of
# other operators.
JAGGED_IN_PARTS = {
    "aten._nested_get_values.default": -1,
    "aten._nested_get_max_seqlen.default": -2,
    "aten._nested_get_min_seqlen.default": -2,
    "aten._nested_get_ragged_idx.default": -1,
    "aten._nested_get_lengths.default": -1,
    "aten._nested_get_jagged_dummy.default": -1,
    "aten._nested_get_offsets.default": -1,
    "aten._nested_view_from_jagged.default": -1,
    "aten.linear_backward.default": -1,
    "aten.detach.default": 1,
    "aten.matmul.default": 2,
    "aten.reshape.default": 2,
    "aten.t.default": 1,
}


@situation("wrapper subclasses", JAGGED_IN_PARTS, inference=False)
def nested_jagged_training_step():
    inputs, w = nested(torch.jagged, requires_grad=True), weight().requires_grad_()
    return lambda: torch.autograd.grad(F.linear(inputs, w).values().sum(), [inputs, w])


@situation("other autograd keys", {"aten.to.dtype": -1, "aten._to_copy.default": 1})
def nested_strided():
    inputs, w = nested(torch.strided), weight()
    return lambda: [F.linear(inputs, w), inputs * 2, inputs.to(torch.float64)]


@situation("calls of autograd's own", {"aten._nested_tensor_size.default": 2}, inference=False)
def nested_strided_training_step():
    inputs, w = nested(torch.strided, requires_grad=True), weight().requires_grad_()

    def call():
        output = F.linear(inputs, w)
        return [output, *torch.autograd.grad(output, [inputs, w], torch.ones_like(output))]

    return call


@situation()
def sparse_coo():
    inputs, w = x().to_sparse(), weight()
    return lambda: [torch.sparse.mm(inputs, w.t()), inputs @ w.t(), inputs.to(torch.float64)]


@situation(inference=False)
def sparse_coo_training_step():
    inputs, w = x().to_sparse().requires_grad_(), weight().requires_grad_()
    return lambda: torch.autograd.grad(torch.sparse.mm(inputs, w.t()).sum(), [inputs, w])


@situation()
def sparse_csr():
    inputs, w = x().to_sparse_csr(), weight()
    return lambda: [inputs @ w.t(), inputs.to(torch.float64)]


@situation("other autograd keys", {"aten.to_dense.default": -1, "aten._to_dense.default": 1})
def mkldnn():
    inputs, w = x(), weight()
    return lambda: F.linear(inputs.to_mkldnn(), w).to_dense()


def complex_x():
    return torch.randn(2, 4, dtype=torch.complex64)


@situation()
def conjugate_view():
    inputs, w = complex_x().conj(), torch.randn(3, 4, dtype=torch.complex64)
    return lambda: [F.linear(inputs, w), inputs.to(torch.complex128), inputs.imag.to(torch.float64)]


@situation()
def negative_view():
    inputs, w = torch._neg_view(x()), weight()
    return lambda: [F.linear(inputs, w), inputs.to(torch.float64)]


@situation()
def zero_tensor():
    inputs, w = torch._efficientzerotensor((2, 4)), weight()
    return lambda: [F.linear(inputs, w), inputs.to(torch.float64)]


@situation("lazy tensors made real", {"aten.clone.default": 1})
def arithmetic_on_a_conjugate_view():
    inputs = complex_x().conj()
    return lambda: inputs * 2


@situation(inference=False)
def negative_view_training_step():
    inputs, w = x().requires_grad_(), weight()
    return lambda: torch.autograd.grad(F.linear(torch._neg_view(inputs), w).sum(), inputs)


@situation(inference=False)
def conjugate_view_training_step():
    inputs, w = complex_x().requires_grad_(), torch.randn(3, 4, dtype=torch.complex64)
    return lambda: torch.autograd.grad(F.linear(inputs.conj(), w).abs().sum(), inputs)


@situation(counts={}, never=("aten.linear.default", "aten.add.Tensor"), mode=False)
def fake_tensors():
    inputs, w = x(), weight()

    def call():
        with FakeTensorMode() as mode:
            fake = mode.from_tensor(inputs)
            return str(F.linear(fake, torch.empty(3, 4)) + 1)

    return call
