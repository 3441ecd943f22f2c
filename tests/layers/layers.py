"""Reads #include lines and says which break the layers that docs/design.md draws."""

import re
from functools import lru_cache
from pathlib import Path

# What each folder may include beside itself.
BASE = {"include/opcov"}
FORMAT = BASE | {"csrc/base"}
SNAPSHOT = FORMAT | {"csrc/format"}
ALLOWED = {
    "include/opcov": set(),
    "csrc/base": BASE,
    "csrc/format": FORMAT,
    "csrc/snapshot": SNAPSHOT,
    "csrc/report": SNAPSHOT | {"csrc/snapshot"},
    "csrc/page": SNAPSHOT | {"csrc/snapshot", "csrc/report"},
    "csrc/cli": SNAPSHOT | {"csrc/snapshot", "csrc/report", "csrc/page"},
    "cuda": SNAPSHOT,
    "csrc/intercept": SNAPSHOT | {"csrc/snapshot", "cuda"},
    "csrc/replay": SNAPSHOT | {"csrc/snapshot", "csrc/intercept", "cuda"},
}
MAY_INCLUDE_TORCH = {"csrc/intercept", "csrc/replay", "cuda"}
# settings.cc is the registry of opcov's own variables; the others read what launchers and terminals set.
MAY_READ_ENVIRONMENT = {"csrc/base/settings.cc", "csrc/base/launcher_env.cc", "csrc/cli/terminal.cc"}
# Where versions of torch differ stands in one place.
MAY_ASK_FOR_TORCHS_VERSION = "csrc/intercept/torch_version.h"

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
ENVIRONMENT = re.compile(r"\b(getenv|secure_getenv|environ)\b")
OWN_VARIABLE_READ = re.compile(r'\bgetenv\(\s*"OPCOV')
TORCH_VERSION_CHECK = re.compile(r"\bTORCH_(VERSION_[A-Z]+|ABI_VERSION)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Tree:
    def __init__(self, root):
        self.root = Path(root)

    def sources(self):
        for folder in ALLOWED:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in {".h", ".cc", ".cpp", ".cu", ".cuh"}:
                    yield path.relative_to(self.root).as_posix()

    @lru_cache(maxsize=None)
    def text(self, source):
        return COMMENT.sub("", (self.root / source).read_text())

    def resolve(self, source, name):
        """The file of ours that an include names, or None where it is somebody else's."""
        for folder in (Path(source).parent, Path("include"), Path("csrc"), Path(".")):
            if (self.root / folder / name).is_file():
                return (folder / name).as_posix()
        return None

    @lru_cache(maxsize=None)
    def includes(self, source):
        """(name, file of ours or None, quoted) of each include."""
        found = INCLUDE.findall(self.text(source))
        return [(name, self.resolve(source, name), mark == '"') for mark, name in found]

    def foreign(self, source, seen=None):
        """Names of all foreign headers that a file includes, through our own headers too."""
        seen = seen if seen is not None else set()
        seen.add(source)
        names = set()
        for name, target, _ in self.includes(source):
            if target is None:
                names.add(name)
            elif target not in seen:
                names |= self.foreign(target, seen)
        return names


def folder_of(source):
    return next((folder for folder in ALLOWED if source.startswith(folder + "/")), None)


def violations(root):
    """One line for each break of a rule; an empty list where there is none."""
    tree = Tree(root)
    for source in tree.sources():
        folder = folder_of(source)
        for name, target, quoted in tree.includes(source):
            if target is None and quoted:
                yield f"{source}: includes \"{name}\", which is no file of ours: write <{name}>"
            if target is not None and folder_of(target) not in ALLOWED[folder] | {folder}:
                yield f"{source}: {folder} may not include {target}"
        foreign = tree.foreign(source)
        has_torch = any(TORCH.match(name) for name in foreign)
        if has_torch and folder not in MAY_INCLUDE_TORCH:
            yield f"{source}: torch is included outside {sorted(MAY_INCLUDE_TORCH)}"
        if has_torch and any(name.startswith("fmt/") for name in foreign):
            yield f"{source}: fmt and torch, which carries a fmt of its own, in one translation unit"
        if ENVIRONMENT.search(tree.text(source)) and source not in MAY_READ_ENVIRONMENT:
            yield f"{source}: reads the environment: only {sorted(MAY_READ_ENVIRONMENT)} may"
        if OWN_VARIABLE_READ.search(tree.text(source)) and source != "csrc/base/settings.cc":
            yield f"{source}: reads a variable of opcov's own: only csrc/base/settings.cc may"
        if TORCH_VERSION_CHECK.search(tree.text(source)) and source != MAY_ASK_FOR_TORCHS_VERSION:
            yield f"{source}: depends on torch's version: only {MAY_ASK_FOR_TORCHS_VERSION} may"
