#!/usr/bin/env bash
# The demo: which operator calls of a larger run are covered by inputs that were profiled at a smaller size? Then the
# others' inputs are captured in the run itself, and replayed.
#
# Needs `opcov` and a Python with opcov, torch and diffusers on PATH; `make demo` brings both.
# usage: run.sh [OUTPUT FOLDER, default demo-out]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-demo-out}
# Four processes share the machine; without this each would start a thread a core.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

say() { printf '\n== %s\n' "$*"; }

# Only what an earlier demo wrote: the folder may be anybody's.
mkdir -p "$out"
rm -rf "${out:?}/profiled" "$out/records" "$out/clips" "$out/report.json" "$out/records-again" "$out/snapshots"
rm -f "$out/snapshots.jsonl" "$out/report-with-snapshots.json" "$out/report.html"

say "Taking the operator inputs of a run at 64x96, as if they had been profiled"
env -u OPCOV python "$here/snapshots.py" "$out/profiled" --size 64x96

export OPCOV_OPS='dit=aten::linear,vae=aten::conv3d,output=aten::to.*'
generate() {
  OPCOV=1 python -m torch.distributed.run --standalone --nproc-per-node 4 \
    "$here/run.py" "$out/clips" --size 96x160 --steps "$1"
}

say "Recording four ranks at 96x160"
OPCOV_DIR=$out/records generate 4
ls "$out/records"

say "Which of these calls are covered?"
opcov report "$out/records" --inputs "$out/profiled/inputs.jsonl" -o "$out/report.json" \
  --html "$out/report.html"
opcov summary "$out/records" --inputs "$out/profiled/inputs.jsonl"

say "Capturing the inputs of those that are not, in a run of one step"
OPCOV_DIR=$out/records-again OPCOV_CAPTURE=missing:$out/report.json OPCOV_CAPTURE_DIR=$out/snapshots generate 1
opcov index "$out/snapshots" -o "$out/snapshots.jsonl"

say "Covered with these: everything that runs a kernel"
opcov report "$out/records" --inputs "$out/profiled/inputs.jsonl" "$out/snapshots.jsonl" \
  -o "$out/report-with-snapshots.json"
opcov summary "$out/records" --inputs "$out/profiled/inputs.jsonl" "$out/snapshots.jsonl"

say "Replaying each of them alone"
opcov replay "$out/snapshots" --records "$out/records"

say "With a GPU and Nsight Compute, this profiles them (one of the commands)"
opcov profile --missing "$out/report.json" --records "$out/records" --snapshots "$out/snapshots" --dry-run |
  awk '/^#/ { calls++ } calls == 1'
