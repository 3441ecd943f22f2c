#!/usr/bin/env bash
# Makes .venv hold what requirements.txt pins. A stamp with the file's checksum spares the second run.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stamp=$VENV/.opcov-requirements
want=$(sha256sum requirements.txt)
[[ -x $VENV/bin/python && -f $stamp && $(<"$stamp") == "$want" ]] && exit 0

if [[ ! -x $VENV/bin/python ]]; then
  say "Making the virtual environment .venv"
  python3 -m venv "$VENV"
fi
say "Installing the pinned Python packages into .venv (torch with CUDA is about 3 GB: minutes the first time)"
"$VENV/bin/python" -m pip install --disable-pip-version-check --progress-bar off -q -r requirements.txt
printf '%s\n' "$want" >"$stamp"
