"""Switches opcov on inside `import torch`, where the environment says OPCOV=1.

torch calls autoload() in every Python process on the machine that imports it, so this module imports nothing but os
until it is wanted, and lets no exception out: one would make `import torch` fail.
"""

import os


def autoload() -> None:
    """Entry point of the group torch.backends. Loading the library starts the recording."""
    if os.environ.get("OPCOV", "") in ("", "0"):
        return
    try:
        from opcov import _library

        _library.load()
    except BaseException as error:  # noqa: B902 - whatever it is, it is not the host's trouble
        import sys

        print(f"opcov: {error}; recording stays off", file=sys.stderr)
