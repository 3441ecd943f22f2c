"""Operators of the program's own, made by each of torch's ways."""

import torch
import torch.nn.functional as F

from beside.networks import weight, x
from beside.registry import situation


@torch.library.custom_op("beside::scaled", mutates_args=())
def scaled(inputs: torch.Tensor, w: torch.Tensor, factor: float) -> torch.Tensor:
    return F.linear(inputs, w) * factor


scaled.register_autograd(
    lambda ctx, gradient: (gradient @ ctx.w * ctx.factor, None, None),
    setup_context=lambda ctx, inputs, output: ctx.__dict__.update(w=inputs[1], factor=inputs[2]),
)


def _fill(inputs, values):
    inputs.copy_(torch.tensor(values))


LIBRARY = torch.library.Library("beside", "FRAGMENT")
LIBRARY.define("twice(Tensor x) -> Tensor")
LIBRARY.impl("twice", lambda inputs: inputs * 2, "CPU")
LIBRARY.define("composite(Tensor x, Tensor w) -> Tensor")
LIBRARY.impl("composite", lambda inputs, w: F.linear(inputs, w) + 1, "CompositeImplicitAutograd")
LIBRARY.define("fill(Tensor(a!) x, float[] values) -> ()")
LIBRARY.impl("fill", _fill, "CPU")


@situation(counts={"beside.scaled.default": 1})
def custom_op():
    inputs, w = x(), weight()
    return lambda: torch.ops.beside.scaled(inputs, w, 2.0)


@situation(inference=False)
def custom_op_training_step():
    inputs, w = x().requires_grad_(), weight()
    return lambda: torch.autograd.grad(scaled(inputs, w, 2.0).sum(), inputs)


@situation(counts={"beside.twice.default": 1})
def library_operator():
    inputs = x()
    return lambda: torch.ops.beside.twice(inputs)


@situation(counts={"beside.composite.default": 1})
def library_composite():
    inputs, w = x(), weight()
    return lambda: torch.ops.beside.composite(inputs, w)


@situation(counts={"beside.fill.default": 1})
def library_operator_that_writes():
    inputs = torch.zeros(3)

    def call():
        torch.ops.beside.fill(inputs, [1.0, 1e-12, float("inf")])
        return inputs

    return call


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        return inputs * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


@situation(inference=False)
def autograd_function():
    inputs = x().requires_grad_()
    return lambda: torch.autograd.grad(Doubled.apply(inputs).sum(), inputs)
