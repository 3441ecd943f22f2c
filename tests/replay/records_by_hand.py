"""Records of one process, written by hand, of calls that differ from any that was made."""

import json

from oracle import digest
from records import without_device


def tensor(*shape, dtype="torch.float32", stride=None, device="cpu"):
    if stride is None:
        stride = [1] * len(shape)
        for dim in range(len(shape) - 1, 0, -1):
            stride[dim - 1] = stride[dim] * max(shape[dim], 1)
    return {"dtype": dtype, "shape": list(shape), "stride": list(stride), "device": device}


def call(op, *args, output=None, stage="", **kwargs):
    return {"args": list(args), "kwargs": kwargs, "op": op, "output": output, "stage": stage}


def write_record(folder, *calls, **header):
    """A record of these calls; gives their digests back."""
    folder.mkdir(exist_ok=True)
    lines = [{"record": "header", "format": "opcov-metadata", "version": 1, "rank": 0, **header}]
    lines += [{"record": "signature", "id": number, "signature": one} for number, one in enumerate(calls)]
    lines += [{"record": "calls", "calls": {str(number): 1 for number in range(len(calls))}}]
    lines += [{"record": "end", "unrecorded": 0}]
    (folder / "metadata_rank0_pid1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [digest(without_device(one)) for one in calls]
