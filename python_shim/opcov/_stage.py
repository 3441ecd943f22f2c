"""Stages: the parts of a program that its calls belong to, such as "dit", "vae", "output".

A stage belongs to a thread. The recorder keeps the current one; here are only the ways to set it, which work and cost
about a microsecond where nothing is recorded. Inside code that torch.compile traces they do nothing: compiled
kernels are no operator calls, and a stage there would only break the graph. Set the stage around compiled code.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from typing import Any, AsyncGenerator, Callable, Coroutine, Generator, TypeVar

from . import _library

F = TypeVar("F", bound=Callable[..., Any])
_tokens = threading.local()  # .stack: what to give back when leaving, innermost last


def _compiling() -> bool:
    import torch

    return torch.compiler.is_compiling()


class stage:
    """`with opcov.stage("dit"):`, or `@opcov.stage("dit")` above a function.

    Stages nest, the innermost wins, and leaving restores the outer one, by an exception too. One object may be used
    again, nested, and by several threads. A decorated generator or coroutine is in its stage while its own code runs,
    and not while it is suspended; a `with` block that yields or awaits, however, keeps the thread's stage.
    ImportError, at the first use in a process, where the recorder's library cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a stage is named by a str, not {name!r}")
        self.name = name
        self._encoded = name.encode("utf-8", "replace")

    def __enter__(self) -> "stage":
        # What was entered has to be left, whatever another thread begins to trace meanwhile: the stack says which it was.
        token = None if _compiling() else _library.functions().opcov_enter_stage(self._encoded)
        if not hasattr(_tokens, "stack"):
            _tokens.stack = []
        _tokens.stack.append(token)
        return self

    def __exit__(self, *error: object) -> None:
        token = _tokens.stack.pop()
        if token is not None:
            _library.functions().opcov_leave_stage(token)

    def __call__(self, function: F) -> F:
        return staged(self.name, function)


def staged(name: str, function: F) -> F:
    """`function`, whose body runs in the stage."""
    if inspect.isasyncgenfunction(function):
        wrapper: Any = _staged_async_generator(name, function)
    elif inspect.iscoroutinefunction(function):

        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            return await _awaited(name, function(*args, **kwargs))

    elif inspect.isgeneratorfunction(function):

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return (yield from _driven(name, function(*args, **kwargs)))

    else:

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with stage(name):
                return function(*args, **kwargs)

    return functools.wraps(function)(wrapper)


def _driven(name: str, body: Any) -> Generator[Any, Any, Any]:
    """Passes everything through to `body`, a generator or coroutine, which runs in the stage between two yields."""
    resume: Callable[[], Any] = functools.partial(body.send, None)
    while True:
        try:
            with stage(name):
                item = resume()
        except StopIteration as stop:
            return stop.value
        try:
            sent = yield item
        except GeneratorExit:
            with stage(name):
                body.close()
            raise
        except BaseException as error:  # the caller's throw()
            resume = functools.partial(body.throw, error)
        else:
            resume = functools.partial(body.send, sent)


@types.coroutine
def _awaited(name: str, body: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    return (yield from _driven(name, body))


def _staged_async_generator(name: str, function: Callable[..., AsyncGenerator[Any, Any]]) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        body = function(*args, **kwargs)
        step: Any = body.asend(None)
        while True:
            try:
                item = await _awaited(name, step)
            except StopAsyncIteration:
                return
            try:
                sent = yield item
            except GeneratorExit:
                await _awaited(name, body.aclose())
                raise
            except BaseException as error:  # the caller's athrow()
                step = body.athrow(error)
            else:
                step = body.asend(sent)

    return wrapper
