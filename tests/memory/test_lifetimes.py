"""Nothing lives longer because of opcov: no tensor, no storage, no Python object."""

import gc
import sys
import weakref

import opcov
import pytest
import torch
import torch.nn.functional as F
from records import only_record

OPS = "aten::*,kept::*"


@pytest.fixture(scope="module", autouse=True)
def operators():
    """Operators in Python that take what aten's do not, and one that throws."""
    library = torch.library.Library("kept", "DEF")
    library.define("nothing(Tensor x, *, Tensor[] more, Tensor? y=None, Generator? g=None) -> ()")
    library.impl("nothing", lambda x, more, y=None, g=None: None, "CompositeExplicitAutograd")
    library.define("fails(Tensor x, Tensor[] more) -> Tensor")

    def fails(x, more):
        raise KeyError("as intended")

    library.impl("fails", fails, "CompositeExplicitAutograd")
    yield
    library._destroy()


def with_kwargs(x):
    torch.ops.kept.nothing(x, y=x + 1, more=[x, x * 2], g=torch.Generator())


def with_an_exception(x):
    with pytest.raises(KeyError):
        torch.ops.kept.fails(x, [x, x + 1])


def with_a_refusal(x):
    with pytest.raises(RuntimeError):
        F.linear(x, torch.ones(7, 9))


def with_backward(x):
    w = torch.ones(4, 3, requires_grad=True)
    F.linear(x, w).sum().backward()
    assert w.grad is not None


def with_an_output_that_is_an_input(x):
    x.to(x.dtype)
    x.add_(1)


CALLS = {
    "tensor": lambda x: F.linear(x, torch.ones(4, 3)),
    "list": lambda x: torch.cat([x, x, x + 1]),
    "long list": lambda x: torch.stack([x] * 100),
    "lists out": lambda x: torch.split(x, 1),
    "view": lambda x: x.view(3, 2)[0],
    "number": lambda x: x * 2.5,
    "kwargs": with_kwargs,
    "input given back": with_an_output_that_is_an_input,
    "exception": with_an_exception,
    "refusal": with_a_refusal,
    "backward": with_backward,
}


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("kind", CALLS)
def test_no_call_keeps_what_it_was_given(tmp_path, kind, times):
    """The first call of a signature, which is described, and later ones, which are counted."""
    with opcov.record(tmp_path, ops=OPS):
        x = torch.ones(2, 3)
        ended = weakref.ref(x)
        storage = x.untyped_storage()
        counts = sys.getrefcount(x), x._use_count(), torch._C._storage_Use_Count(storage._cdata)
        for _ in range(times):
            CALLS[kind](x)
        gc.collect()
        assert (sys.getrefcount(x), x._use_count(), torch._C._storage_Use_Count(storage._cdata)) == counts
        del x
        assert ended() is None
        assert torch._C._storage_Use_Count(storage._cdata) < counts[2]
    assert only_record(tmp_path).calls()


def test_outputs_end_with_their_last_name(tmp_path):
    with opcov.record(tmp_path, ops=OPS):
        for _ in range(3):
            out = torch.split(torch.ones(4, 3) + 1, 2)
            ended = [weakref.ref(part) for part in out]
            del out
            assert [end() for end in ended] == [None, None]


def test_a_recording_leaves_no_python_objects_behind(tmp_path):
    def tensors():
        gc.collect()
        return sum(issubclass(type(thing), torch.Tensor) for thing in gc.get_objects())

    before = tensors()
    opcov.start(tmp_path, ops=OPS)
    for make_calls in CALLS.values():
        for _ in range(2):
            make_calls(torch.ones(2, 3))
    assert tensors() == before
    opcov.stop()
    assert tensors() == before
