# Sourced by the other scripts: where we are, and how to speak.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=$ROOT/.venv
BUILD=$ROOT/build
# Compilers and torchrun take memory by the gigabyte: no more jobs than cores.
JOBS=${JOBS:-$(nproc)}
cd "$ROOT"

say() { printf '== %s\n' "$*"; }
die() {
  printf 'opcov: %s\n' "$*" >&2
  exit 1
}
