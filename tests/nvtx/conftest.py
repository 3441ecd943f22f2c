"""The tests of this folder use the modules of the folder python."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from programs import program, records  # noqa: E402, F401 - fixtures
