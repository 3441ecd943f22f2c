#!/usr/bin/env bash
# tidy.sh BUILD_DIR: clang-tidy over the sources that do not include torch (one that does takes it a minute).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -eq 1 && -f $1/compile_commands.json ]] || die "usage: scripts/tidy.sh BUILD_DIR (a configured one)"
mapfile -t sources < <(find csrc/{base,format,snapshot,report,page,cli} -name '*.cc' 2>/dev/null | LC_ALL=C sort)
say "clang-tidy over ${#sources[@]} files"
# 16: older ones do not know C++20 lambdas that capture structured bindings.
printf '%s\n' "${sources[@]}" | xargs -P "$JOBS" -n 3 clang-tidy-16 --quiet -p "$1"
