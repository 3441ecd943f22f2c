#!/usr/bin/env bash
# The demo: which operator calls of a larger run are covered by inputs that were profiled at a smaller size?
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
rm -rf "${out:?}/profiled" "$out/records" "$out/clips" "$out/report.json"

say "Taking the operator inputs of a run at 64x96, as if they had been profiled"
env -u OPCOV python "$here/snapshots.py" "$out/profiled" --size 64x96

say "Recording four ranks at 96x160"
OPCOV=1 OPCOV_DIR=$out/records OPCOV_OPS='dit=aten::linear,vae=aten::conv3d,output=aten::to.*' \
  python -m torch.distributed.run --standalone --nproc-per-node 4 \
  "$here/run.py" "$out/clips" --size 96x160 --steps 4
ls "$out/records"

say "Which of these calls are covered?"
opcov report "$out/records" --inputs "$out/profiled/inputs.jsonl" -o "$out/report.json"
opcov summary "$out/records" --inputs "$out/profiled/inputs.jsonl"
