#!/usr/bin/env bash
# The checks that need a GPU, each in a process of its own, then a summary. Exit status 0 where all passed.
#
# Needs torch 2.11 with CUDA, and opcov built with CUDA for it: in BUILD (default build/), else it is built there. For
# profiles also ncu, and compute-sanitizer; without them their checks fail and say so. No network.
# usage: tests/gpu/run.sh [CHECK...]      PYTHON=python3 BUILD=build tests/gpu/run.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build}
python=${PYTHON:-python3}
seconds=${CHECK_SECONDS:-75}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ! -x $build/bin/opcov-replay || ! -e $build/lib/libopcov.so ]]; then
  echo "== Building in $build"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPCOV_CUDA=ON -DOPCOV_TESTS=OFF \
    -DOPCOV_EXAMPLES=OFF -DOPCOV_PYTHON="$(command -v "$python")" &&
    cmake --build "$build" --target opcov opcov_cli opcov_replay || exit 2
fi

torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') || exit 2
for name in $(compgen -e | grep '^OPCOV' || true); do unset "$name"; done
export LD_LIBRARY_PATH=$torch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH=$build/bin:/usr/local/cuda/bin:$PATH
export PYTHONPATH=$root/python_shim OPCOV_LIBRARY=$build/lib/libopcov.so

failed=()
checks=("$@")
[[ ${#checks[@]} -gt 0 ]] || mapfile -t checks < <("$python" "$here/checks.py" --list)
for check in "${checks[@]}"; do
  mkdir -p "$work/$check"
  begin=$SECONDS
  if (cd "$work/$check" && timeout "$seconds" "$python" "$here/checks.py" "$check") >"$work/$check.log" 2>&1; then
    echo "passed  $check  ($((SECONDS - begin)) s)"
  else
    echo "FAILED  $check  (status $?, $((SECONDS - begin)) s)"
    tail -n 25 "$work/$check.log" | sed 's/^/    /'
    failed+=("$check")
  fi
done
echo "== $((${#checks[@]} - ${#failed[@]})) of ${#checks[@]} checks passed${failed[*]:+; failed: ${failed[*]}}"
[[ ${#failed[@]} -eq 0 ]]
