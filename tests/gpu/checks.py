"""The checks that need a GPU, one a run, in an empty folder: checks.py NAME. `--list` names them."""

import inspect
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
DEVICE = os.environ.get("CHECK_DEVICE", "cuda")
CHECKS = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


def run(*command, status=0, **environment):
    done = subprocess.run(
        [str(part) for part in command], env={**os.environ, **environment}, capture_output=True, text=True
    )
    print("$", *command, done.stdout, done.stderr, sep="\n", flush=True)
    assert done.returncode == status, f"status {done.returncode}, not {status}"
    return done.stdout


def program(*arguments, **settings):
    return run(sys.executable, HERE / "program.py", "--device", DEVICE, *arguments, **settings).split()[-1]


def recorded(folder="records", **settings):
    return program(OPCOV="1", OPCOV_DIR=folder, OPCOV_OPS="aten::linear,aten::conv3d,aten::to.*", **settings)


def lines(folder="records"):
    (path,) = Path(folder).glob("metadata_rank0_*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def calls(folder="records"):
    """{(stage, op): calls}, after the end line."""
    found = lines(folder)
    assert found[-1]["record"] == "end"
    signatures = {line["id"]: line["signature"] for line in found if line["record"] == "signature"}
    counts = {}
    for line in found:
        if line["record"] == "calls":
            counts.update(line["calls"])
    totals = Counter()
    for number, count in counts.items():
        totals[signatures[int(number)]["stage"], signatures[int(number)]["op"]] += count
    return totals


def snapshots_in(folder):
    import torch

    return {path.name: torch.load(path, weights_only=True) for path in sorted(Path(folder).glob("*.pt"))}


def tensors_in(value):
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [tensor for item in items for tensor in tensors_in(item)]


@check
def results_are_equal_to_the_bit():
    assert recorded() == program()
    ranks = [line["world_size"] for line in lines() if line["record"] in ("header", "rank")]
    assert ranks[-1] == 1
    if DEVICE == "cuda":
        environment = [line["environment"] for line in lines() if "environment" in line][-1]
        assert environment["gpus"], "the record names no GPU"


@check
def counts_are_those_of_the_execution_trace():
    recorded()
    program("--trace", "trace.json")
    seen = Counter(node["name"] for node in json.loads(Path("trace.json").read_text())["nodes"])
    found = calls()
    assert found["dit", "aten.linear.default"] == seen["aten::linear"] == 12
    assert found["vae", "aten.conv3d.default"] == seen["aten::conv3d"] == 1


@check
def capture_keeps_results_and_inputs():
    assert recorded(OPCOV_CAPTURE="all") == program()
    found = snapshots_in("records/snapshots")
    assert {name.split("_")[0] for name in found} >= {"dit", "vae"}
    run("opcov", "index", "records/snapshots", "-o", "inputs.jsonl")
    run("opcov", "report", "records", "--inputs", "inputs.jsonl", "-o", "report.json")
    rows = json.loads(Path("report.json").read_text())["rows"]
    assert all(row["same_structural_signature_ncu_inputs"] for row in rows if "linear" in row["signature"]["op"])


@check
def capture_waits_for_no_other_stream():
    import opcov
    import torch

    x, w = torch.ones(256, 256, device="cuda"), torch.ones(256, 256, device="cuda")
    torch.nn.functional.linear(x, w)
    torch.cuda.synchronize()
    with opcov.record("records", ops="aten::linear", capture="all"):
        side, done = torch.cuda.Stream(), torch.cuda.Event()
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000_000)  # some ten seconds
            done.record()
        torch.nn.functional.linear(x, w)
        torch.cuda.current_stream().synchronize()
        assert not done.query(), "the captured call waited for another stream"
        torch.cuda.synchronize()
    (snapshot,) = snapshots_in("records/snapshots").values()
    assert all(torch.equal(tensor.cpu(), torch.ones(256, 256)) for tensor in tensors_in(snapshot["args"]))


@check
def every_call_is_replayed():
    recorded(OPCOV_CAPTURE="all")
    for names in ([], ["records/snapshots"]):
        done = json.loads(run("opcov-replay", *names, "--records", "records", "--json", "--device", DEVICE))
        assert {call["status"] for call in done["calls"]} == {"replayed"}
        assert all(call["device"] == DEVICE for call in done["calls"])


@check
def made_values_are_those_of_the_cpu():
    recorded()
    for device in ("cpu", DEVICE):
        settings = {"OPCOV": "1", "OPCOV_DIR": device, "OPCOV_OPS": "aten::linear,aten::conv3d", "OPCOV_CAPTURE": "all"}
        names = ("--records", "records", "--device", device, "--keep-recording")
        run("opcov-replay", *names, OPCOV_CAPTURE_DIR=f"of_{device}", **settings)
    import torch

    on_cpu, on_gpu = ([tensors_in(one["args"]) for one in snapshots_in(f"of_{d}").values()] for d in ("cpu", DEVICE))
    assert on_cpu and len(on_cpu) == len(on_gpu)
    for ours, theirs in zip(on_cpu, on_gpu):
        assert all(torch.equal(a.cpu(), b.cpu()) for a, b in zip(ours, theirs, strict=True))


@check
def ncu_profiles_what_is_missing():
    recorded()
    run("opcov", "report", "records", "-o", "report.json")
    arguments = ["--missing", "report.json", "--records", "records", "-o", "profiles"]
    run("opcov", "profile", *arguments, "--", "--set", "basic")
    run("opcov", "report", "records", "--inputs", "profiles/inputs.jsonl", "-o", "after.json")
    rows = json.loads(Path("after.json").read_text())["rows"]
    linears = [row for row in rows if "linear" in row["signature"]["op"]]
    assert linears and all(row["same_structural_signature_ncu_inputs"] for row in linears)
    report = linears[0]["same_structural_signature_ncu_inputs"][0]["input"]
    text = run("ncu", "--import", report, "--page", "raw", "--csv")
    assert "sm__throughput" in text and "gpu__time_duration" in text, "no hardware counters in the profile"
    assert "there before" in run("opcov", "profile", *arguments)


@check
def graph_replays_count():
    import opcov
    import torch

    x, w = torch.ones(8, 8, device="cuda"), torch.ones(8, 8, device="cuda")
    warm_up = torch.cuda.Stream()
    with torch.inference_mode(), opcov.record("records", ops="aten::linear"):
        with torch.cuda.stream(warm_up):
            torch.nn.functional.linear(x, w)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph), opcov.stage("captured"):
            y = torch.nn.functional.linear(x, w)
            for _ in range(2):
                y = torch.nn.functional.linear(y, w)
        for _ in range(5):
            graph.replay()
        torch.cuda.synchronize()
        assert y[0, 0].item() == 512
    found = calls()
    assert found["", "aten.linear.default"] == 1
    assert found["captured", "aten.linear.default"] == 15
    captured = [line["calls"] for line in lines() if line["record"] == "captured"][-1]
    assert sum(captured.values()) == 3
    notices = {line["kind"]: line["count"] for line in lines() if line["record"] == "notice"}
    assert notices["cuda_graph_replays"] == 5 and "cuda_graph" not in notices


@check
def compute_sanitizer_finds_nothing():
    recorded()
    for tool in ("memcheck", "initcheck", "synccheck"):
        run("compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "opcov-replay", "--records", "records")


def main():
    if sys.argv[1:] == ["--list"]:
        print(*CHECKS, sep="\n")
        return
    (name,) = sys.argv[1:]
    print(inspect.getsource(CHECKS[name]))
    CHECKS[name]()


if __name__ == "__main__":
    main()
