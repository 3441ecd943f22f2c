import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("python", "hosts")]

from hosts import host_command, reported  # noqa: E402, F401 - fixtures
from programs import program, records  # noqa: E402, F401 - fixtures
from working import working  # noqa: E402, F401 - a fixture
