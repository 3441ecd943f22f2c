"""Everything to run beside opcov; importing it fills SITUATIONS."""

from beside import compiled, operators, tensors, tools, transforms  # noqa: F401
from beside.registry import SITUATIONS  # noqa: F401
