#!/usr/bin/env bash
# Prints the path of an nvcc that compiles, or nothing. Looks at what the machine has, then takes NVIDIA's packages
# from the Python index into .venv. What it tells a person goes to stderr.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stamp=$VENV/.opcov-nvcc
compiles() {
  local dir
  dir=$(mktemp -d)
  printf '#include <cuda_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n' >"$dir/try.cu"
  "$1" -std=c++17 -L"$(dirname "$1")/../lib" -o "$dir/try" "$dir/try.cu" >/dev/null 2>&1
  local rc=$?
  rm -rf "$dir"
  return $rc
}

if [[ -f $stamp && (! -s $stamp || -x $(<"$stamp")) ]]; then
  cat "$stamp"
  exit 0
fi
for nvcc in "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
  if [[ -x $nvcc ]] && compiles "$nvcc"; then
    printf '%s\n' "$nvcc" | tee "$stamp"
    exit 0
  fi
done
say "No CUDA toolkit here: installing NVIDIA's nvcc packages into .venv" >&2
if "$VENV/bin/python" -m pip install --disable-pip-version-check -q -r requirements-nvcc.txt >&2; then
  nvcc=$(echo "$VENV"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)
  if [[ -x $nvcc ]] && compiles "$nvcc"; then
    printf '%s\n' "$nvcc" | tee "$stamp"
    exit 0
  fi
fi
say "No nvcc to be had: building without the CUDA parts (OPCOV_CUDA=OFF)" >&2
: >"$stamp"
