"""Snapshots of single calls, and what `opcov index` makes of them."""

import json
import subprocess

import opcov
import torch
from oracle import canonical
from records import only_record
from torch.utils._python_dispatch import TorchDispatchMode


class CallsSaved(TorchDispatchMode):
    """Saves the arguments of the calls of one operator as torch.save saves them, before they are made."""

    def __init__(self, op, path):
        super().__init__()
        self._op, self._path = op, path

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if str(func) == self._op:
            torch.save({"op": str(func), "stage": "", "args": args, "kwargs": kwargs or {}}, self._path)
        return func(*args, **(kwargs or {}))


def index(paths, *options, status=0):
    """(manifest lines, what stands on stderr)"""
    command = ["opcov", "index", *map(str, paths), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == status, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def recorded(call, op, folder):
    """The signatures of op's calls without output, as the recorder describes them."""
    with torch.inference_mode(), opcov.record(folder, ops="aten::*,quantized::*"):
        call()
    signatures = [json.loads(text) for text in only_record(folder).calls()]
    return {canonical(without_output(signature)) for signature in signatures if signature["op"] == op}


def without_output(signature):
    return {key: value for key, value in signature.items() if key != "output"}
