# Sourced by the other scripts: where we are, and how to speak.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=$ROOT/.venv
BUILD=$ROOT/build
# Compilers and torchrun take memory by the gigabyte: no more jobs than cores.
JOBS=${JOBS:-$(nproc)}
cd "$ROOT"

# The environment of whoever calls must not switch recording on or choose options for the tests.
without_settings() {
  local name
  while read -r name; do unset "$name"; done < <(compgen -e | grep '^OPCOV' || true)
}

say() { printf '== %s\n' "$*"; }
die() {
  printf 'opcov: %s\n' "$*" >&2
  exit 1
}
