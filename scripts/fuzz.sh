#!/usr/bin/env bash
# Fuzzes the readers: fuzz.sh [--unsanitized] --seconds N | --runs N [record|counts|manifest|snapshot ...]. N is for
# each of them; all where none is named. Builds into build-fuzz/ with clang, keeps what it learns in build-fuzz/corpus/,
# and leaves what broke a reader in build-fuzz/findings/. --unsanitized: several times as fast, in build-fuzz-fast/.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

CLANG=clang++-16
FUZZ=$ROOT/build-fuzz
sanitized=ON
usage="usage: scripts/fuzz.sh [--unsanitized] --seconds N | --runs N [record|counts|manifest|snapshot ...]"

if [[ ${1:-} == --unsanitized ]]; then
  FUZZ=$ROOT/build-fuzz-fast
  sanitized=OFF
  shift
fi
[[ $# -ge 2 && $2 =~ ^[0-9]+$ ]] || die "$usage"
case $1 in
  --seconds) limit=-max_total_time=$2 ;;
  --runs) limit=-runs=$2 ;;
  *) die "$usage" ;;
esac
shift 2
parsers=("$@")
[[ $# -gt 0 ]] || parsers=(record counts manifest snapshot)
for parser in "${parsers[@]}"; do [[ -d tests/fuzz/corpus/$parser ]] || die "$usage"; done
command -v "$CLANG" >/dev/null || die "$CLANG is missing; scripts/debian_packages.sh installs it"

say "Building the fuzzers (${FUZZ#"$ROOT"/}/)"
cmake -S . -B "$FUZZ" -G Ninja -DCMAKE_CXX_COMPILER="$CLANG" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DOPCOV_FUZZ=ON \
  -DOPCOV_FUZZ_SANITIZED="$sanitized" \
  -DOPCOV_RECORDER=OFF -DOPCOV_CUDA=OFF >/dev/null
cmake --build "$FUZZ" -j "$JOBS" --target "${parsers[@]/#/opcov_fuzz_}"

# The files that are read stand in memory.
scratch=$(mktemp -d -p "$([[ -d /dev/shm ]] && echo /dev/shm || echo /tmp)" opcov_fuzz_XXXXXX)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$FUZZ/findings"
for parser in "${parsers[@]}"; do
  say "Fuzzing the reader of $parser files"
  mkdir -p "$FUZZ/corpus/$parser"
  longest=1024
  [[ $parser != counts ]] || longest=320 # a header and four blocks, folded
  TMPDIR=$scratch "$FUZZ/bin/opcov_fuzz_$parser" "$limit" -max_len=$longest -timeout=10 -rss_limit_mb=2048 \
    -dict="tests/fuzz/$parser.dict" -artifact_prefix="$FUZZ/findings/$parser-" \
    -entropic=0 -print_funcs=0 -print_final_stats=1 -verbosity=0 \
    "$FUZZ/corpus/$parser" "tests/fuzz/corpus/$parser"
done
