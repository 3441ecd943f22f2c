"""PyTorch's own operator database as calls to compare: every operator, every sample input, forward on the CPU."""

from __future__ import annotations

import warnings
from collections import Counter

import torch
from fingerprint import fingerprint
from torch.utils._pytree import tree_leaves

warnings.filterwarnings("ignore")

# They are compiled by CUDA for CUDA.
ONLY_ON_CUDA = ("jiterator",)

# The first version of torch, among those that are tested, with a sample that runs on the CPU.
ON_CPU_SINCE = {"torch._scaled_mm_v2": (2, 15)}

# Without opcov, too, two runs differ.
NOT_REPEATABLE = ("linalg.lstsq",)

# What the tests of this run compared with the Python mode, for the summary.
COMPARED = Counter()


def operators(share=1, part=0):
    """Every `share`th operator of the database, beginning with the `part`th."""
    return [op for op in everything() if not is_only_on_cuda(op)][part::share]


def left_out():
    """Operators that are not compared at all."""
    return [op for op in everything() if is_only_on_cuda(op)]


def not_repeatable():
    """Operators whose signatures are compared, and whose results and gradients are not."""
    return [op for op in operators() if op.name in NOT_REPEATABLE]


def is_only_on_cuda(op):
    return not op.dtypes or op.name.startswith(ONLY_ON_CUDA) or torch.__version__ < ON_CPU_SINCE.get(op.name, (0,))


def everything():
    from torch.testing._internal.common_methods_invocations import op_db

    return op_db


def label(op):
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def is_differentiable(op):
    return op.supports_autograd and torch.float32 in op.dtypes and not op.name.startswith(NOT_REPEATABLE)


def samples(op):
    """The samples that the operator takes without raising, each as a function that makes the call.

    A sample's call is made once to find out; seeded, so that it runs the same way each time.
    """
    dtype = torch.float32 if torch.float32 in op.dtypes else sorted(op.dtypes, key=str)[0]
    calls = []
    for sample in op.sample_inputs("cpu", dtype, requires_grad=False):

        def call(sample=sample):
            torch.manual_seed(0)
            return op(sample.input, *sample.args, **sample.kwargs)

        try:
            call()
        except Exception:  # noqa: BLE001 - whatever an operator raises on a sample: it makes no call to compare
            continue
        calls.append(call)
    return calls


def results_and_gradients(op, most=4):
    """Outputs, grad_fn names and input gradients of the first samples to the bit, or the error a sample raises."""
    found = []
    for number, sample in enumerate(op.sample_inputs("cpu", torch.float32, requires_grad=True)):
        if number == most:
            break
        torch.manual_seed(0)
        try:
            found.append(_differentiated(op, sample))
        except Exception as error:  # noqa: BLE001 - the same error is expected each time
            found.append(type(error).__name__)
    return found


def _differentiated(op, sample):
    outputs = _tensors(op(sample.input, *sample.args, **sample.kwargs))
    inputs = [leaf for leaf in _tensors((sample.input, sample.args, sample.kwargs)) if leaf.requires_grad]
    sums = [output.abs().sum() for output in outputs if output.requires_grad]
    gradients = torch.autograd.grad(sums, inputs, allow_unused=True)
    return fingerprint([outputs, gradients])


def _tensors(values):
    return [leaf for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)]
