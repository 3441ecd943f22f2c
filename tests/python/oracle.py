"""What opcov has to see, told by PyTorch itself: a TorchDispatchMode that writes canonical signatures by its own means.

It shares nothing with the recorder but the contract: the values are those that ``__torch_dispatch__`` receives, the
JSON is ``json.dumps``'s.
"""

from __future__ import annotations

import collections
import json
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode


def describe(value):
    """One argument or output as the contract's table states it."""
    if isinstance(value, torch.Tensor):
        return _describe_tensor(value)
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, torch.SymInt)):
        return int(value)
    if isinstance(value, (float, torch.SymFloat)):
        number = float(value)
        if math.isfinite(number):
            return number
        return {"float": "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"}
    if isinstance(value, complex):
        return {"complex": [describe(value.real), describe(value.imag)]}
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)):
        return str(value)
    if isinstance(value, torch.device):
        return value.type
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[describe(key), describe(item)] for key, item in value.items()]}
    if isinstance(value, torch.ScriptObject):
        return {"object": value._type().qualified_name()}
    return {"object": type(value).__name__}


def _describe_tensor(tensor):
    # Not dispatched again: the mode is off while its handler runs.
    if tensor.layout == torch.strided and not tensor.is_nested:
        return {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "stride": list(tensor.stride())}
    shaped = {} if tensor.is_nested else {"shape": list(tensor.shape)}
    return {"dtype": str(tensor.dtype), "layout": str(tensor.layout), **shaped}


def canonical(signature) -> str:
    return json.dumps(signature, sort_keys=True, separators=(",", ":"))


# Enumerations that an operator *returns* reach Python as the number the dispatcher carries.
_ENUMERATIONS = {("ScalarType", 6): "torch.float32", ("QScheme", 0): "torch.per_tensor_affine"}


def _describe_output(func, output):
    returns = func._schema.returns
    if len(returns) == 1 and isinstance(output, int):
        return _ENUMERATIONS.get((str(returns[0].real_type), output), describe(output))
    return describe(output)


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


class Oracle(TorchDispatchMode):
    """Counts canonical signatures of the calls it sees; ``only`` limits it to some names, like ``aten::linear``."""

    def __init__(self, only=None, stage=""):
        super().__init__()
        self.only = only
        self.stage = stage
        self.calls = collections.Counter()
        self.returned_input = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        wanted = func.namespace != "opcov" and (self.only is None or func._schema.name in self.only)
        if not wanted:
            return func(*args, **kwargs)
        before = [describe(arg) for arg in args], {name: describe(value) for name, value in kwargs.items()}
        inputs = list(_tensors(list(args) + list(kwargs.values())))
        output = func(*args, **kwargs)
        key = canonical({"args": before[0], "kwargs": before[1], "op": str(func), "output": _describe_output(func, output),
                         "stage": self.stage})
        self.calls[key] += 1
        if self._gives_an_input_back(func, inputs, output):
            self.returned_input.add(key)
        return output

    @staticmethod
    def _gives_an_input_back(func, inputs, output):
        outputs = output if isinstance(output, tuple) else (output,)
        for declared, value in zip(func._schema.returns, outputs):
            if declared.alias_info is not None and declared.alias_info.is_write:
                continue
            if any(tensor is known for tensor in _tensors(value) for known in inputs):
                return True
        return False
