"""Operators that change while they are hooked behave as they would without opcov, and are recorded as they are."""

import opcov
import pytest
import torch
from records import only_record


class Hundredfold(torch.autograd.Function):
    """An author's own derivative: one that autograd would never find by itself."""

    @staticmethod
    def forward(ctx, x):
        return x.detach() * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 100


def composite(library, schema="f(Tensor x) -> Tensor"):
    library.define(schema)
    library.impl("f", lambda x, *rest: x * 2, "CompositeImplicitAutograd")


def with_own_derivative(library):
    library.impl("f", lambda x: x * 2, "CPU")
    library.impl("f", Hundredfold.apply, "Autograd")


def gradient(operator):
    x = torch.ones(2, requires_grad=True)
    operator(x).sum().backward()
    return x.grad.tolist()


@pytest.fixture
def namespace(request):
    """A namespace of this test's own: what is registered stays for the process."""
    return f"late_{request.node.name}"


def test_an_authors_later_derivative_is_used(namespace, tmp_path):
    with opcov.record(tmp_path, ops=f"{namespace}::*"):
        library = torch.library.Library(namespace, "DEF")
        composite(library)
        operator = getattr(torch.ops, namespace).f
        assert gradient(operator) == [2, 2]
        with_own_derivative(library)
        assert gradient(operator) == [100, 100]
    # The author's kernel at the autograd key never hands the call on, so there is nothing of it below to be seen.
    assert only_record(tmp_path).by_op() == {("", f"{namespace}.f.default"): 1}


def test_a_definition_made_anew_is_used(namespace, tmp_path):
    with opcov.record(tmp_path, ops=f"{namespace}::*"):
        library = torch.library.Library(namespace, "DEF")
        composite(library)
        assert gradient(getattr(torch.ops, namespace).f) == [2, 2]
        library._destroy()
        library = torch.library.Library(namespace, "DEF")
        library.define("f(Tensor x) -> Tensor")
        with_own_derivative(library)
        assert gradient(getattr(torch.ops, namespace).f) == [100, 100]
    # The author's kernel at the autograd key never hands the call on, so there is nothing of it below to be seen.
    assert only_record(tmp_path).by_op() == {("", f"{namespace}.f.default"): 1}


def test_another_schema_is_described_as_it_is(namespace, tmp_path):
    x = torch.ones(2)
    with opcov.record(tmp_path, ops=f"{namespace}::*"):
        for schema, rest in [("f(Tensor x, int a=3) -> Tensor", (4,)), ("f(Tensor x) -> Tensor", ()),
                             ("f(Tensor x, int a, int b) -> Tensor", (5, 6)),
                             ("f(Tensor x, int a, int b=6) -> Tensor", (5, 6)),
                             ("f(Tensor x, int a, int b=7) -> Tensor", (5, 6)),
                             ("f(Tensor x, int a, ScalarType b) -> Tensor", (5, torch.int32))]:
            library = torch.library.Library(namespace, "DEF")
            composite(library, schema)
            torch.ones(1)  # the autograd hook of a late composite waits for the next call that is seen
            for _ in range(2):
                getattr(torch.ops, namespace).f(x, *rest)
            library._destroy()
    described = [line["signature"]["args"][1:] for line in only_record(tmp_path).of_kind("signature")]
    assert described == [[4], [], [5, 6], [5], [5, 6], [5, "torch.int32"]]
    assert sum(only_record(tmp_path).calls().values()) == 12


def test_linear_itself_may_be_given_other_kernels(program):
    program("""
        import opcov
        torch.set_grad_enabled(True)
        opcov.start()
        work(1)
        library = torch.library.Library("aten", "IMPL")

        class Ninefold(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, w, b):
                return x.detach() @ w.detach().t()
            @staticmethod
            def backward(ctx, gradient):
                return None, gradient.new_full((4, 3), 9.0), None

        library.impl("linear", lambda x, w, b=None: x @ w.t(), "CPU")
        library.impl("linear", lambda x, w, b=None: Ninefold.apply(x, w, b), "Autograd")
        layer(torch.ones(2, 3)).sum().backward()
        assert layer.weight.grad.unique().tolist() == [9.0], layer.weight.grad
        """)
