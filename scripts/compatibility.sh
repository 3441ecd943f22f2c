#!/usr/bin/env bash
# Builds and tests what meets torch against other versions of it: compatibility.sh [VERSION...], by default those of
# docs/compatibility.md. Each has an environment and a build folder of its own in COMPATIBILITY_DIR (6 GB a version, by
# default in /tmp), which a second run takes up again. SUITES chooses among the suites. Ends with 0 where every test
# passed, and writes table.md there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

WORK=${COMPATIBILITY_DIR:-${TMPDIR:-/tmp}/opcov-compatibility}
VERSIONS=("$@")
[[ $# -gt 0 ]] || VERSIONS=(2.9.1 2.15.0)
read -ra SUITES <<<"${SUITES:-intercept python operator_database replay wheel}"
FAILED=()
mkdir -p "$WORK"
without_settings

environment() {
  local venv=$WORK/venv-$1
  [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
  # All else as in .venv, but for what comes with torch.
  grep -Ev '^(#|(torch|triton)==|nvidia-|cuda-)' requirements.txt >"$WORK/constraints.txt"
  "$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off -q -c "$WORK/constraints.txt" \
    "torch==$1" dask diffusers expecttest numpy pytest scikit-build-core
}

# What does without torch is tested with the version that `make test` takes.
build() {
  cmake -S . -B "$WORK/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPCOV_PYTHON="$WORK/venv-$1/bin/python" \
    -DOPCOV_CUDA=OFF &&
    cmake --build "$WORK/build-$1" -j "$JOBS" \
      --target libopcov.so opcov opcov-replay opcov_intercept_tests opcov_replayed_operators
} >"$WORK/$1-build.log" 2>&1

# Where another minor version of torch is, for the wheel to be put beside.
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
  if [[ $2 == intercept ]]; then
    ctest --test-dir "$build/tests/intercept" -j "$JOBS" --output-on-failure --output-junit "$xml"
  else
    TEST_BUILD_DIR=$build TEST_SOURCE_DIR=$ROOT PYTHONPATH=$build/python PATH=$build/bin:$WORK/venv-$1/bin:$PATH \
      "$python" -m pytest -q -p no:cacheprovider --junitxml "$xml" "tests/$2" "${options[@]}"
  fi >"$WORK/$1-$2.log" 2>&1
}

# attribute NAME FILE: the first number of that name, which is the outermost element's; 0 where there is none.
attribute() {
  local found
  found=$(grep -o "[[:space:]]$1=\"[0-9]*\"" "$2" | head -1 | tr -cd '0-9')
  printf '%d' "${found:-0}"
}

# What the table says of a suite: how many tests passed, and of how many where some did not.
verdict() {
  local xml=$WORK/$1-$2.xml tests failed
  [[ -s $xml ]] || { printf 'did not run'; return; }
  tests=$(attribute tests "$xml")
  failed=$(($(attribute failures "$xml") + $(attribute errors "$xml")))
  if ((failed == 0)); then printf '%d' "$tests"; else printf '%d of %d' $((tests - failed)) "$tests"; fi
}

try() {
  local suite row="| $1 |"
  say "torch $1: environment"
  environment "$1"
  say "torch $1: building ($WORK/$1-build.log)"
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
