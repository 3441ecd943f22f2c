"""The wrappers of torch.cuda.CUDAGraph tell the recorder what happens to graphs, and change nothing else."""

import gc
import sys
import types

import pytest
import torch
from opcov import _graphs


class Library:
    """In place of the recorder's functions: what it was told."""

    def __init__(self):
        self.told = []

    def __getattr__(self, name):
        assert name.startswith("opcov_graph_")
        return lambda number: self.told.append((name.removeprefix("opcov_graph_"), number))


@pytest.fixture
def graphs(monkeypatch):
    """A module in place of torch.cuda, with graphs that need no GPU, and the library."""

    class CUDAGraph:
        def capture_begin(self, pool=None, capture_error_mode="global"):
            """Begins."""
            if pool == "bad":
                raise RuntimeError("no such pool")
            return pool, capture_error_mode

        def capture_end(self):
            if getattr(self, "invalid", False):
                raise RuntimeError("capture failed")

        def replay(self):
            if getattr(self, "invalid", False):
                raise RuntimeError("not captured")
            return "replayed"

        def reset(self):
            pass

    module = types.SimpleNamespace(CUDAGraph=CUDAGraph)
    monkeypatch.setitem(sys.modules, "torch.cuda", module)
    library = Library()
    monkeypatch.setattr(_graphs, "_numbers", iter(range(1, 100)))
    _graphs.install(library)
    _graphs.install(library)  # once is enough
    return CUDAGraph, library


def test_what_happens_is_told_in_its_order(graphs):
    CUDAGraph, library = graphs
    one, two = CUDAGraph(), CUDAGraph()
    for graph in (one, two):
        graph.capture_begin()
        graph.capture_end()
    assert one.replay() == "replayed"
    two.replay()
    one.replay()
    two.reset()
    assert library.told == [
        ("begin", 1), ("end", 1), ("begin", 2), ("end", 2), ("replayed", 1), ("replayed", 2), ("replayed", 1), ("forget", 2)
    ]


def test_arguments_and_results_go_through(graphs):
    CUDAGraph, _ = graphs
    assert CUDAGraph().capture_begin("pool", capture_error_mode="thread_local") == ("pool", "thread_local")
    assert CUDAGraph.capture_begin.__doc__ == "Begins."


def test_what_raises_is_not_told_but_a_captures_end(graphs):
    CUDAGraph, library = graphs
    graph = CUDAGraph()
    with pytest.raises(RuntimeError, match="no such pool"):
        graph.capture_begin("bad")
    assert library.told == []
    graph.capture_begin()
    graph.invalid = True
    with pytest.raises(RuntimeError, match="capture failed"):
        graph.capture_end()
    with pytest.raises(RuntimeError, match="not captured"):
        graph.replay()
    assert library.told == [("begin", 1), ("end", 1)]


def test_a_graph_that_is_captured_again_or_gone_is_forgotten(graphs):
    CUDAGraph, library = graphs
    graph = CUDAGraph()
    graph.capture_begin()
    graph.capture_begin()
    assert library.told == [("begin", 1), ("forget", 1), ("begin", 2)]
    del graph
    gc.collect()
    assert library.told[-1] == ("forget", 2)


def test_a_graph_from_before_is_left_alone(graphs):
    CUDAGraph, library = graphs
    CUDAGraph().replay()
    CUDAGraph().capture_end()
    assert library.told == []


def test_torchs_own_graphs_are_wrapped_when_the_recorder_is_loaded(program):
    done = program("""
before = torch.cuda.CUDAGraph.replay
import opcov
assert torch.cuda.CUDAGraph.replay is before
opcov.start()
print(torch.cuda.CUDAGraph.replay is not before, torch.cuda.CUDAGraph.replay.__wrapped__ is before)
""")
    assert done.stdout_text == "True True\n"


def test_torch_has_the_methods_that_are_wrapped():
    for name in ("capture_begin", "capture_end", "replay", "reset"):
        assert callable(getattr(torch.cuda.CUDAGraph, name))
