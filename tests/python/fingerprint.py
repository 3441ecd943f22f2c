"""Results of two processes compared to the bit: each tensor as one line that says what it is and what it holds."""

import hashlib

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass
from torch.utils._pytree import tree_leaves


def fingerprint(value):
    """A list of strings, equal for values that are equal to the bit, NaN included."""
    return [_tensor(leaf) if isinstance(leaf, torch.Tensor) else str(leaf) for leaf in tree_leaves(value)]


def _tensor(tensor):
    node = type(tensor.grad_fn).__name__ if tensor.requires_grad else "no gradient"
    with torch.no_grad():
        parts = ", ".join(map(_plain, _parts(tensor.detach())))
    return f"{type(tensor).__name__}({parts}) {node}"


def _parts(tensor):
    """The strided tensors that make up this one."""
    if is_traceable_wrapper_subclass(tensor):
        names, _ = tensor.__tensor_flatten__()
        return [part for name in names for part in _parts(getattr(tensor, name))]
    if tensor.is_nested:
        return list(tensor.unbind())
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout == torch.sparse_csr:
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout != torch.strided:
        return [tensor.to_dense()]
    return [tensor]


def _plain(tensor):
    shown = f"{tensor.dtype}{list(tensor.shape)}{tuple(tensor.stride())}"
    if tensor.is_conj() or tensor.is_neg() or tensor._is_zerotensor():
        shown += f" conj={tensor.is_conj()} neg={tensor.is_neg()} zero={tensor._is_zerotensor()}"
        tensor = tensor.resolve_conj().resolve_neg().clone()
    if tensor.is_quantized:
        tensor = tensor.int_repr()
    data = tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return f"{shown} {hashlib.sha256(data).hexdigest()[:16]}"
