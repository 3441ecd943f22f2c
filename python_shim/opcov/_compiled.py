"""What TorchInductor compiled: calls that went into generated kernels are no operator calls any more.

Source: the counters that torch._dynamo keeps, looked at only where the program has imported it.
"""

from __future__ import annotations

import sys
from typing import Any

_TEXT = (
    "graphs were compiled by TorchInductor in this process: what their operators became runs in generated kernels, or "
    "as other operators (addmm.out, convolution), and is in no row under its own name"
)
_FROM_CACHE_OR_NEW = ("fxgraph_cache_hit", "fxgraph_cache_miss", "fxgraph_cache_bypass")


def graphs() -> int:
    """Graphs that Inductor compiled or took from a cache, as far as its counters say."""
    utils = sys.modules.get("torch._dynamo.utils")
    counters = getattr(utils, "counters", {})
    found = sum(counters.get("inductor", {}).get(name, 0) for name in _FROM_CACHE_OR_NEW)
    # A graph from the autograd cache stands in both, or in this one alone.
    return max(found, counters.get("aot_autograd", {}).get("autograd_cache_hit", 0))


def note(operators: Any) -> None:
    """Leaves a notice in the present recording's record where there are any. Never raises: it runs at exit."""
    try:
        count = graphs()
        if count > 0:
            operators.note("compiled_graph", count, _TEXT)
    except Exception:  # another torch may count elsewhere: better no notice than a failing host
        return
