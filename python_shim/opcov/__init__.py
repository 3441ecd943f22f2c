"""opcov: which operator calls does this GPU program make, and which of them have been profiled?

Recording needs no import: `OPCOV=1 python app.py` does. This module is for programs that name their stages, or decide
for themselves when to record:

    import opcov

    with opcov.record("records", ops="aten::linear"), opcov.stage("dit"):
        model(x)

Threads: every function may be called from any thread. Errors: start() and record() raise ValueError on a setting that
is not understood, and ImportError where the recorder's library cannot be loaded. Nothing else raises: a recorder that
fails later (disk full, folder gone) says so once on stderr and turns itself off.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._attach import Attachment, attach
    from ._recording import flush, pause, record, record_file, recording, reset, resume, set_rank, start, stop
    from ._stage import stage

__all__ = [
    "Attachment",
    "attach",
    "flush",
    "pause",
    "record",
    "record_file",
    "recording",
    "reset",
    "resume",
    "set_rank",
    "stage",
    "start",
    "stop",
]

# A program that is recorded by OPCOV=1 alone needs none of these, and is not to wait for them.
_MODULES = {"Attachment": "_attach", "attach": "_attach", "stage": "_stage"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("." + _MODULES.get(name, "_recording"), __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
