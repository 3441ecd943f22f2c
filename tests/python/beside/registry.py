"""What PyTorch has to offer a program, as calls to run beside opcov: each says what its counts are held against."""

from dataclasses import dataclass
from typing import Callable, Mapping, Optional

SITUATIONS = {}


@dataclass
class Situation:
    """prepare() gives the call. How its counts are judged:

    differs: by how much each count differs from the profiler's in grad mode, and the `kind` of difference, a row of
        docs/beside-pytorch.md.
    counts: the counts themselves, where the profiler is no oracle (beside itself), or the reader is.
    traces: the call makes a graph; only `never` says what must not be counted. What tracing does with real tensors on
        its way (detach, clone) is torch's business and changes with its versions.
    never: operators that must not be counted, though the program names them.
    mode: whether a Python mode is the oracle under inference_mode; else the profiler is.
    inference: whether there is anything to see under inference_mode.
    """

    prepare: Callable
    differs: Mapping[str, int]
    kind: Optional[str]
    counts: Optional[Mapping[str, int]]
    traces: bool
    never: tuple
    mode: bool
    inference: bool


def situation(kind=None, differs={}, counts=None, traces=False, never=(), mode=True, inference=True):
    assert (kind is None) == (not differs), "a difference has a kind, and a kind differs"

    def add(prepare):
        assert prepare.__name__ not in SITUATIONS
        SITUATIONS[prepare.__name__] = Situation(prepare, differs, kind, counts, traces, never, mode, inference)
        return prepare

    return add
