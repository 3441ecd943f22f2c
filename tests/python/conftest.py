"""What the tests of this folder share stands in modules of its own, so that other folders can use it too."""

from capturing import capturing  # noqa: F401 - a fixture
from programs import program, records  # noqa: F401 - fixtures
