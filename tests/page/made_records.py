"""Record files made up for a page: as docs/record-format.md says, of one segment each."""

import json


def tensor(*shape, dtype="torch.bfloat16", stride=None):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return {"dtype": dtype, "shape": list(shape), "stride": stride or strides}


def signature(*args, op="aten.linear.default", stage="dit", output=None, **kwargs):
    return {"args": list(args), "kwargs": kwargs, "op": op, "output": output or tensor(1), "stage": stage}


def linear(rows, stage="dit", width=8):
    return signature(tensor(rows, width), tensor(width, width), stage=stage, output=tensor(rows, width))


def write_record(folder, calls, rank=0, world_size=1, returns_input=(), notices=(), where=None, **header):
    """`calls`: (signature, calls) pairs; `returns_input`: places in it of calls that gave their input back; `where`:
    by place in it, where the first call was made."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [{"record": "header", "format": "opcov-metadata", "version": 1, "rank": rank, "world_size": world_size,
              **header}]
    for number, (call, _) in enumerate(calls):
        more = {"returns_input": True} if number in returns_input else {}
        lines.append({"record": "signature", "id": number, "signature": call, **more})
        if number in (where or {}):
            lines.append({"record": "where", "id": number, "where": where[number]})
    lines.append({"record": "calls", "calls": {str(number): count for number, (_, count) in enumerate(calls)}})
    lines += [{"record": "notice", "kind": kind, "count": count, "text": text} for kind, count, text in notices]
    lines.append({"record": "end", "unrecorded": 0})
    path = folder / f"metadata_rank{rank}_pid1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def write_manifest(path, signatures):
    lines = [{"input": f"snapshots/{number}.pt", "signature": call} for number, call in enumerate(signatures)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
