"""The differential oracle: a TorchDispatchMode that counts calls by signature, by means of its own.

It shares nothing with the recorder: it sits in Python, above the dispatcher's kernels, and describes what
__torch_dispatch__ is given. In torch 2.11 a wrapped number (the 2.5 of `x * 2.5`) arrives here as a Python number,
already unwrapped by torch; to the recorder it comes as a 0-d tensor. A dtype or qscheme that an operator returns
arrives as the number of the C++ enumeration.
"""

import contextlib
import fnmatch
import hashlib
import json
import math
from collections import Counter

import torch
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass
from torch.utils._pytree import tree_leaves

# What these operators return, by its number.
ENUMERATIONS = {
    "aten::qscheme": {0: torch.per_tensor_affine, 1: torch.per_channel_affine},
    "aten::result_type": {6: torch.float32, 7: torch.float64, 9: torch.complex64},
}
DEFAULT_OPS = ("aten::linear", "aten::conv3d", "aten::to")


def canonical(signature):
    return json.dumps(signature, sort_keys=True, separators=(",", ":"))


def digest(signature):
    return hashlib.sha256(canonical(signature).encode()).hexdigest()


def described(value):
    """The table "Canonical signature" of the design, row by row."""
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        return {"complex": [_float(value.real), _float(value.imag)]}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[described(key), described(item)] for key, item in value.items()]}
    if isinstance(value, torch.device):
        return value.type
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)):
        return str(value)
    if isinstance(value, torch.ScriptObject):
        return {"object": value._type().annotation_str}
    return {"object": type(value).__name__}


def _float(value):
    if math.isnan(value):
        return {"float": "nan"}
    if math.isinf(value):
        return {"float": "inf" if value > 0 else "-inf"}
    return value


def _tensor(tensor):
    if tensor.is_nested:
        return {"dtype": str(tensor.dtype), "layout": str(tensor.layout)}
    if tensor.layout != torch.strided:
        return {"dtype": str(tensor.dtype), "layout": str(tensor.layout), "shape": list(tensor.shape)}
    return {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "stride": list(tensor.stride())}


class SignatureMode(TorchDispatchMode):
    """Counts the calls of operators whose name, without overload, matches one of the globs.

    calls: canonical JSON -> number of calls. returns_input: those that gave an input back on every call.
    """

    def __init__(self, ops=DEFAULT_OPS):
        super().__init__()
        self.calls = Counter()
        self._ops = ops
        self._stage = ""
        self._gave_input_back = Counter()

    @contextlib.contextmanager
    def stage(self, name):
        outer, self._stage = self._stage, name
        try:
            yield
        finally:
            self._stage = outer

    @property
    def returns_input(self):
        return {text for text, calls in self.calls.items() if self._gave_input_back[text] == calls}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        leaves = tree_leaves((args, kwargs))
        if any(isinstance(leaf, torch.Tensor) and is_traceable_wrapper_subclass(leaf) for leaf in leaves):
            return NotImplemented  # the subclass answers, with this mode still on: its plain calls are seen
        before = {"args": described(args), "kwargs": {name: described(value) for name, value in kwargs.items()}}
        output = func(*args, **kwargs)
        name = func._schema.name
        on_meta = any(_device(leaf) == torch.device("meta") for leaf in leaves)
        if on_meta or not any(fnmatch.fnmatchcase(name, glob) for glob in self._ops):
            return output
        result = ENUMERATIONS[name][output] if name in ENUMERATIONS else output
        text = canonical({**before, "op": str(func), "output": described(result), "stage": self._stage})
        self.calls[text] += 1
        self._gave_input_back[text] += _gives_input_back(func, leaves, output)
        return output


def _device(leaf):
    return leaf.device if isinstance(leaf, torch.Tensor) else leaf if isinstance(leaf, torch.device) else None


def _gives_input_back(func, inputs, output):
    returns = func._schema.returns
    for result, schema in zip(output if len(returns) > 1 else [output], returns):
        written = schema.alias_info is not None and schema.alias_info.is_write
        given = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        if not written and any(leaf is value for leaf in given for value in inputs):
            return True
    return False
