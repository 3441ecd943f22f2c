"""Writes the operator inputs of one small run: what has been profiled, in the story that this demo tells.

A snapshot is a .pt file with the arguments of one call, to be replayed under a profiler; the manifest inputs.jsonl
says which signature each has. A TorchDispatchMode sees every call, which is slow, but it runs only once.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any, Iterator

import torch
from model import ClipSize, WanModel, to_pixels
from torch.utils._python_dispatch import TorchDispatchMode

OPERATORS = {"dit": "aten.linear.", "vae": "aten.conv3d.", "output": "aten.to."}


def described(value: Any) -> Any:
    """A value as opcov's signatures write it. Only the kinds that the three operators take."""
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "stride": list(value.stride())}
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return str(value)
    if isinstance(value, torch.device):
        return value.type
    raise TypeError(f"snapshots.py does not know how to describe a {type(value).__name__}")


class SnapshotMode(TorchDispatchMode):
    """Saves the arguments of the first call of each signature into `folder`."""

    def __init__(self, folder: Path):
        super().__init__()
        self.folder = folder
        self.manifest: list[str] = []
        self._seen: set[str] = set()
        self._stage = ""

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        outer, self._stage = self._stage, name
        try:
            yield
        finally:
            self._stage = outer

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        output = func(*args, **(kwargs or {}))
        if str(func).startswith(OPERATORS.get(self._stage, "no operator")):
            self._save(func, args, kwargs or {}, output)
        return output

    def _save(self, func, args, kwargs, output) -> None:
        signature = {
            "args": described(args),
            "kwargs": {name: described(value) for name, value in kwargs.items()},
            "op": str(func),
            "output": described(output),
            "stage": self._stage,
        }
        text = json.dumps(signature, sort_keys=True, separators=(",", ":"))
        if text in self._seen:
            return
        self._seen.add(text)
        path = self.folder / f"{self._stage}_rank0_{hashlib.sha256(text.encode()).hexdigest()[:16]}.pt"
        # Copied: torch.save writes the whole storage that a view looks into.
        torch.save({"args": _own(args), "kwargs": _own(kwargs)}, path)
        line = {"input": path.name, "input_sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        self.manifest.append(json.dumps({**line, "signature": signature}, sort_keys=True, separators=(",", ":")))


def _own(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        copy = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=value.device)
        return copy.copy_(value)
    if isinstance(value, (list, tuple)):
        return [_own(item) for item in value]
    if isinstance(value, dict):
        return {name: _own(item) for name, item in value.items()}
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="for the .pt files and inputs.jsonl")
    parser.add_argument("--size", type=ClipSize.parse, default=ClipSize(64, 96), metavar="HxW")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = WanModel.build(device)
    with torch.inference_mode(), SnapshotMode(args.folder) as mode:
        clip = model.generate(args.size, steps=1, prompt_seed=0, stage=mode.stage)
        with mode.stage("output"):
            to_pixels(clip)
    manifest = args.folder / "inputs.jsonl"
    manifest.write_text("".join(line + "\n" for line in mode.manifest))
    print(f"Wrote {len(mode.manifest)} snapshots and {manifest}")


if __name__ == "__main__":
    main()
