"""Stages for modules that are not to be edited: their methods are wrapped, instance by instance.

Not with forward hooks: a post hook is skipped when forward raises, and the stage would stay.
"""

from __future__ import annotations

import functools
import types
from typing import Any, Callable, Iterable, Mapping, Union

from ._stage import stage, staged

# A module (its forward), a bound method (`vae.decode`), or several of them.
Target = Union[Callable[..., Any], Iterable[Callable[..., Any]]]


class Attachment:
    """What attach() did; remove() undoes it. Also a context manager that removes itself at the end."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def remove(self) -> None:
        """Gives the methods back. Twice is harmless. Not to be called beside an attach() of these modules."""
        while self._undo:
            self._undo.pop()()

    def __enter__(self) -> "Attachment":
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def attach(stages: Mapping[str, Target]) -> Attachment:
    """`attach({"dit": pipe.transformer, "vae": pipe.vae.decode})`: each target runs in the stage of that name.

    Nested targets work: the innermost stage wins. Under torch.compile, attach the compiled module, not what is inside.
    TypeError where a target is neither a module nor a bound method; nothing is attached then.
    """
    for name in stages:
        stage(name)  # a name that is none is told here, not at the first call
    wanted = [(name, *_method(target)) for name, targets in stages.items() for target in _listed(targets)]
    attachment = Attachment()
    for name, owner, method in wanted:
        attachment._undo.append(_wrap(name, owner, method))
    return attachment


def _listed(targets: Target) -> list[Any]:
    return list(targets) if isinstance(targets, (list, tuple)) else [targets]


def _method(target: Any) -> tuple[Any, str]:
    if isinstance(target, types.MethodType):
        return target.__self__, target.__name__
    if callable(getattr(target, "forward", None)):
        return target, "forward"
    raise TypeError(f"opcov.attach: {target!r} is neither a module nor a bound method such as vae.decode")


def _wrap(name: str, owner: Any, method: str) -> Callable[[], None]:
    original = getattr(owner, method)
    had_own = method in getattr(owner, "__dict__", {})
    # A method of its own class is called on whoever holds the wrapper: copy.deepcopy(module) then runs the copy.
    is_method = isinstance(original, types.MethodType) and original.__self__ is owner
    function = original.__func__ if is_method else original
    active = True

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        body = types.MethodType(function, self) if is_method else function
        if not active:
            return body(*args, **kwargs)
        with stage(name):
            return body(*args, **kwargs)

    if is_method:
        functools.update_wrapper(call, function)  # callers that inspect the signature see the method's own
    wrapper = types.MethodType(call, owner)
    setattr(owner, method, wrapper)

    def undo() -> None:
        nonlocal active
        active = False  # for whoever wrapped the wrapper meanwhile, and still calls it
        if getattr(owner, "__dict__", {}).get(method) is not wrapper:
            return
        if had_own:
            setattr(owner, method, original)
        else:
            delattr(owner, method)

    return undo
