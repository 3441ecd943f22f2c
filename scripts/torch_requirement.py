"""What a wheel depends on: the minor version of torch that it is built against. pyproject.toml names this file."""

import importlib.metadata


def dynamic_metadata(settings, project):
    major, minor = importlib.metadata.version("torch").split(".")[:2]
    return {"dependencies": [f"torch=={major}.{minor}.*"]}


def dynamic_wheel(settings):
    """A source distribution does not know yet."""
    return {"dependencies": True}
