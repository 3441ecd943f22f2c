"""CUDA graphs of torch: tells the recorder into which graph calls are captured, and when it is replayed.

Source: the methods of torch.cuda.CUDAGraph, by which torch's own helpers and compiled programs go too. They are wrapped
once a process, when the recorder is loaded, and do what they did; the recorder decides what counts.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import sys
import weakref
from typing import Any, Callable

_MARK = "_opcov_wrapped"
_numbers = itertools.count(1)
# By graph: its number, and what forgets it, once, with the graph or before.
_captured: "weakref.WeakKeyDictionary[Any, tuple[int, Any]]" = weakref.WeakKeyDictionary()


def install(library: Any) -> None:
    """Wraps the methods where there are such; `library` has the functions of include/opcov/graph.h."""
    graph = getattr(sys.modules.get("torch.cuda"), "CUDAGraph", None)
    if graph is None or getattr(graph, _MARK, False):
        return
    setattr(graph, _MARK, True)
    for name in ("begin", "end", "replayed", "forget"):
        function = getattr(library, f"opcov_graph_{name}")
        function.argtypes = [ctypes.c_uint64]
        function.restype = None

    def forget(self: Any) -> None:
        if self in _captured:
            _captured.pop(self)[1]()

    def began(self: Any) -> None:
        forget(self)
        number = next(_numbers)
        forgets = weakref.finalize(self, library.opcov_graph_forget, number)
        forgets.atexit = False
        _captured[self] = number, forgets
        library.opcov_graph_begin(number)

    def told(function: Callable[[int], None]) -> Callable[[Any], None]:
        def tell(self: Any) -> None:
            if self in _captured:  # else it was captured before the recorder was there
                function(_captured[self][0])

        return tell

    _follow(graph, "capture_begin", began)
    _follow(graph, "capture_end", told(library.opcov_graph_end), also_failed=True)
    _follow(graph, "replay", told(library.opcov_graph_replayed))
    _follow(graph, "reset", forget)


def _follow(owner: Any, name: str, after: Callable[[Any], None], also_failed: bool = False) -> None:
    """`owner.name` tells `after` that it was called and returned; or, where asked, that it raised."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            result = original(self, *args, **kwargs)
        except BaseException:
            if also_failed:
                after(self)
            raise
        after(self)
        return result

    setattr(owner, name, wrapper)
