"""The `opcov` command: hands over to the packaged executable, which needs neither Python nor torch."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    executable = Path(__file__).parent / "bin" / "opcov"
    if not executable.is_file():
        sys.exit(f"opcov: {executable} is missing; install opcov again")
    os.execv(executable, [str(executable), *sys.argv[1:]])
