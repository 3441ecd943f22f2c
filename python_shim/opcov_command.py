"""The `opcov` command: hands over to the packaged executable, which needs neither Python nor torch.

`replay` and `profile` start opcov-replay, which links torch and looks for it beside the package. Where this Python has
its torch elsewhere (a virtual environment that sees the system's packages), the dynamic loader is told. Outside of the
package, whose import fails beside a torch that it was not built for: records and reports do not depend on it.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

_WITH_TORCH = ("replay", "profile")


def main() -> None:
    package = Path(__file__).parent / "opcov"
    executable = package / "bin" / "opcov"
    if not executable.is_file():
        sys.exit(f"opcov: {executable} is missing; install opcov again")
    if sys.argv[1:2] and sys.argv[1] in _WITH_TORCH:
        _lead_to_torch(package.parent / "torch" / "lib")
    os.execv(executable, [str(executable), *sys.argv[1:]])


def _lead_to_torch(beside: Path) -> None:
    torch = importlib.util.find_spec("torch")  # does not import it
    if torch is None or torch.origin is None:
        sys.exit(f"opcov: {sys.argv[1]} needs torch, which {sys.executable} does not have")
    try:
        import opcov  # noqa: F401 - says whether it was built for this torch
    except ImportError as error:
        sys.exit(f"opcov: {error}")
    libraries = Path(torch.origin).parent / "lib"
    if libraries.resolve() != beside.resolve():
        known = os.environ.get("LD_LIBRARY_PATH")
        os.environ["LD_LIBRARY_PATH"] = f"{known}:{libraries}" if known else str(libraries)
