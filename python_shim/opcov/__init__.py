"""opcov: which operator calls does this GPU program make, and which of them have been profiled?

Recording needs no import: `OPCOV=1 python app.py` does. This module is for programs that name their stages, or decide
for themselves when to record:

    import opcov

    with opcov.record("records", ops="aten::linear"), opcov.stage("dit"):
        model(x)

Threads: every function may be called from any thread. Errors: importing this raises ImportError beside another minor
version of torch than it was built for. start() and record() raise ValueError on a setting that is not understood, and
ImportError where the recorder's library cannot be loaded. Nothing else raises: a recorder that fails later (disk full,
folder gone) says so once on stderr and turns itself off.
"""

from . import _library
from ._attach import Attachment, attach
from ._recording import flush, pause, record, record_file, recording, reset, resume, set_rank, start, stop
from ._stage import stage

_library.check_version(_library.installed_torch())

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
