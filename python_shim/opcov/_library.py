"""Finds libopcov.so and loads it into torch, once a process.

The library is compiled against one minor version of torch's C++ interface, so a mismatch is told before the dynamic
loader would fail on a mangled symbol.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

from . import _compiled, _graphs

# Here and in __init__.py everything is imported at once: a child forked beside an import waits for its lock for ever.
try:
    from ._build_info import TORCH_VERSION
except ModuleNotFoundError:  # a build tree: built against the torch that is here
    TORCH_VERSION = ""

_operators: Any = None
_functions: Any = None


def load() -> Any:
    """`torch.ops.opcov`, with the library loaded. ImportError, with the remedy, where it cannot be.

    Any thread may call it: loading twice is harmless.
    """
    global _operators
    if _operators is None:
        import torch

        path = _path()
        check_version(torch.__version__)
        try:
            torch.ops.load_library(str(path))
        except OSError as error:
            raise ImportError(f"{path} does not load into torch {torch.__version__}: {error}. {_REMEDY}") from error
        _operators = torch.ops.opcov
        # The library ends its record when the process exits, but by then Python has taken torch.distributed's groups
        # down: this is the last moment at which the rank can be learned from them.
        atexit.register(_at_exit)
        if hasattr(functions(), "opcov_graph_begin"):  # OPCOV_LIBRARY may be an older one
            _graphs.install(functions())
    return _operators


def _at_exit() -> None:
    _compiled.note(_operators)
    _operators.flush()


def functions() -> Any:
    """The library's C functions, for stages and CUDA graphs.

    Not operators: torch.jit.trace would record their calls, and a host's dispatch mode would see them.
    """
    global _functions
    if _functions is None:
        load()
        library = ctypes.CDLL(str(_path()))  # loaded already: this is another handle to it
        library.opcov_enter_stage.argtypes = [ctypes.c_char_p]
        library.opcov_enter_stage.restype = ctypes.c_uint32
        library.opcov_leave_stage.argtypes = [ctypes.c_uint32]
        library.opcov_leave_stage.restype = None
        _functions = library
    return _functions


def loaded() -> Any:
    """As load(), but None where the library is not loaded yet."""
    return _operators


_REMEDY = "Install an opcov that was built for this torch, or build it from source with --no-build-isolation"


def _path() -> Path:
    override = os.environ.get("OPCOV_LIBRARY")
    path = Path(override) if override else Path(__file__).parent / "lib" / "libopcov.so"
    if path.is_file():
        return path
    if override:
        raise ImportError(f"OPCOV_LIBRARY={override} is no file; unset it to use the packaged library")
    raise ImportError(f"{path} is missing. Install opcov again, or point OPCOV_LIBRARY to a libopcov.so")


def installed_torch() -> str:
    """The version of the torch that is imported, or would be; it is not imported here. "" where that cannot be told.

    As its own file states it: the metadata of packages may be of another torch that lies behind it on the path.
    """
    if "torch" in sys.modules:
        return str(getattr(sys.modules["torch"], "__version__", ""))
    try:
        package = Path(importlib.util.find_spec("torch").origin).parent  # type: ignore[arg-type, union-attr]
        stated = re.search(r"^__version__ = '([^']+)'", (package / "version.py").read_text(), re.MULTILINE)
    except (AttributeError, OSError, TypeError, ValueError):  # none is there, or it is no such package
        return ""
    return stated[1] if stated else ""


def check_version(installed: str) -> None:
    """ImportError where the library was built for another minor version of torch than `installed`; "" is any."""
    if TORCH_VERSION and installed and installed.split(".")[:2] != TORCH_VERSION.split(".")[:2]:
        raise ImportError(f"this opcov was built for torch {TORCH_VERSION}, but torch {installed} is here. {_REMEDY}")
