#!/usr/bin/env bash
# Builds and tests opcov against other versions of torch: compatibility.sh [VERSION...], by default those of
# docs/compatibility.md. Each has an environment and a build folder of its own in COMPATIBILITY_DIR (6 GB a version, by
# default in /tmp), which a second run takes up again. Ends with 0 where every test passed, and writes table.md there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

WORK=${COMPATIBILITY_DIR:-${TMPDIR:-/tmp}/opcov-compatibility}
VERSIONS=("$@")
[[ $# -gt 0 ]] || VERSIONS=(2.9.1 2.15.0)
SUITES=(c++ python operator_database replay wheel)
FAILED=()
mkdir -p "$WORK"
without_settings

environment() {
  local venv=$WORK/venv-$1
  [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
  # All else as in .venv, but for what comes with torch.
  grep -Ev '^(#|(torch|triton)==|nvidia-|cuda-)' requirements.txt >"$WORK/constraints-$1.txt"
  "$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off -q -c "$WORK/constraints-$1.txt" \
    "torch==$1" dask diffusers expecttest numpy pytest scikit-build-core
}

build() {
  cmake -S . -B "$WORK/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPCOV_PYTHON="$WORK/venv-$1/bin/python" \
    -DOPCOV_CUDA=OFF >"$WORK/build-$1.log" && cmake --build "$WORK/build-$1" -j "$JOBS" >>"$WORK/build-$1.log" 2>&1
}

# A torch of another minor version that is installed, for the wheel to be put beside.
other_torch() {
  local other=$VENV
  [[ $1 != 2.11.* ]] || other=$WORK/venv-${VERSIONS[0]}
  "$other/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
}

# run_suite VERSION SUITE: results as JUnit's XML.
run_suite() {
  local build=$WORK/build-$1 python=$WORK/venv-$1/bin/python xml=$WORK/$1-$2.xml
  local options=()
  [[ $2 != wheel ]] || options=(--other-torch "$(other_torch "$1")")
  rm -f "$xml"
  case $2 in
    c++)
      PATH=$WORK/venv-$1/bin:$PATH ctest --test-dir "$build" -L quick -E '^(examples|layers|python)$' -j "$JOBS" \
        --output-on-failure --output-junit "$xml"
      ;;
    *)
      TEST_BUILD_DIR=$build TEST_SOURCE_DIR=$ROOT PYTHONPATH=$build/python PATH=$build/bin:$WORK/venv-$1/bin:$PATH \
        "$python" -m pytest -q -p no:cacheprovider --junitxml "$xml" "tests/$2" "${options[@]}"
      ;;
  esac >"$WORK/$1-$2.log" 2>&1
}

# attribute NAME FILE: of the outermost element that has it.
attribute() { grep -o -m1 " $1=\"[0-9]*\"" "$2" | head -1 | tr -cd '0-9'; }

# What the table says of a suite: how many tests passed, of how many where some did not.
verdict() {
  local xml=$WORK/$1-$2.xml
  [[ -f $xml ]] || { printf 'did not run'; return; }
  local tests failures errors
  tests=$(attribute tests "$xml") failures=$(attribute failures "$xml") errors=$(attribute errors "$xml")
  if ((failures + errors == 0)); then printf '%d' "$tests"; else printf '%d of %d' $((tests - failures - errors)) "$tests"; fi
}

try() {
  local suite row="| $1 |"
  say "torch $1: environment"
  environment "$1"
  say "torch $1: building ($WORK/build-$1.log)"
  if build "$1"; then row+=" yes |"; else row+=" no |" FAILED+=("$1 build"); fi
  for suite in "${SUITES[@]}"; do
    say "torch $1: $suite ($WORK/$1-$suite.log)"
    run_suite "$1" "$suite" || FAILED+=("$1 $suite")
    row+=" $(verdict "$1" "$suite") |"
  done
  printf '%s\n' "$row" >>"$WORK/table.md"
}

{
  printf '| torch | built |'; printf ' %s |' "${SUITES[@]}"
  printf '\n|---|---|'; printf '%.0s---|' "${SUITES[@]}"; printf '\n'
} >"$WORK/table.md"
for version in "${VERSIONS[@]}"; do try "$version"; done
cat "$WORK/table.md"
[[ ${#FAILED[@]} -eq 0 ]] || die "failed: $(printf '%s; ' "${FAILED[@]}")"
