#!/usr/bin/env bash
# Installs the Debian packages that are missing. Asks dpkg first: apt-get runs only where something is to be done.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PACKAGES=(build-essential ca-certificates ccache chromium clang-16 clang-format clang-tidy-16 cmake git ninja-build
          python3 python3-venv libbenchmark-dev libclang-rt-16-dev libcli11-dev libfmt-dev libgtest-dev libssl-dev
          nlohmann-json3-dev valgrind zsh)

if ! command -v dpkg-query >/dev/null; then
  say "No dpkg here: taking it for granted that the equivalents of these are installed: ${PACKAGES[*]}"
  exit 0
fi

missing=()
for package in "${PACKAGES[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

say "Installing Debian packages: ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null ||
    die "these Debian packages are missing and need root: run 'apt-get install ${missing[*]}' as root, then again"
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"
