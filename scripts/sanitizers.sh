#!/usr/bin/env bash
# Runs our own code under sanitizers: sanitizers.sh [tsan] [asan], both where none is named. Builds into build-tsan/ and
# build-asan/. What is known and not ours stands in tests/sanitizers/*.supp, each line with its reason.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

SUPPRESSIONS=$ROOT/tests/sanitizers
PYTHON=$VENV/bin/python
without_settings

# The hosts that end, as they end without a sanitizer: by their own signals, with threads that still run.
as_without="handle_segv=0:handle_abort=0:handle_sigfpe=0"
export TSAN_OPTIONS="suppressions=$SUPPRESSIONS/tsan.supp:report_thread_leaks=0:report_signal_unsafe=0:die_after_fork=0:$as_without"
export ASAN_OPTIONS="suppressions=$SUPPRESSIONS/asan.supp:detect_stack_use_after_return=1:strict_string_checks=1:$as_without"
export LSAN_OPTIONS="suppressions=$SUPPRESSIONS/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS="suppressions=$SUPPRESSIONS/ubsan.supp:print_stacktrace=1"

# ThreadSanitizer needs the addresses it expects.
fixed_addresses() { setarch "$(uname -m)" -R "$@"; }

build() {
  say "Building with $1 (build-$1/)"
  cmake --preset "$1" -DOPCOV_PYTHON="$PYTHON" >/dev/null
  # The tests are listed as they are built; there is nothing to look for in that.
  ASAN_OPTIONS=detect_leaks=0 fixed_addresses cmake --build "build-$1" -j "$JOBS"
}

cpp_tests() {
  say "C++ tests with $1"
  local left_out='CompositeRule.*'
  # ThreadSanitizer holds signals back while waitpid() waits, which is where `opcov run` gets them; it has one thread.
  [[ $1 != tsan ]] || left_out+=':RunCommand.*'
  for tests in shared unit intercept; do
    fixed_addresses "build-$1/bin/opcov_${tests}_tests" --gtest_brief=1 --gtest_filter="-$left_out"
  done
  # Looks at the dispatcher without our hooks, which other tests' recordings place for good.
  fixed_addresses "build-$1/bin/opcov_intercept_tests" --gtest_brief=1 --gtest_filter='CompositeRule.*'
}

# Each test by its name, so that one that is renamed is missed here.
cpp_hosts() {
  say "C++ programs that end, fork and are killed, with $1"
  local ends=tests/ends/test_ends.py
  # No sanitizer outlives main's thread: ThreadSanitizer stops such a program, recorded or not, and AddressSanitizer's
  # search for leaks no longer looks at what globals point to.
  pytest_with "$1" --deselect "$ends::test_cpp[main before a thread]" "$ends::test_cpp" \
    "$ends::test_another_program_takes_the_process" "$ends::test_threads_still_call_at_a_quick_exit" \
    "$ends::test_the_library_is_never_unloaded"
  pytest_with "$1" tests/ends/test_kills.py -k cpp --kills 8
  # AddressSanitizer's allocator is not made ready for a fork: a child waits for ever for what another thread held of it.
  local forks=()
  [[ $1 != asan ]] || forks=(-k 'not beside')
  # What a parent's other threads own is in its child too, where nobody has it: for the search for leaks, a leak.
  ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" pytest_with "$1" tests/forks/test_cpp.py "${forks[@]}"
}

# Python is not built with the sanitizer, whose runtime has to be there before it.
python_programs() {
  say "Python programs with $1"
  local runtime
  runtime="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)"
  # What Python keeps until it ends is no leak of ours.
  LD_PRELOAD=$runtime ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" pytest_with "$1" tests/ends/test_ends.py::test_python \
    tests/python/test_stages.py tests/python/test_switching.py
}

pytest_with() {
  local build=$ROOT/build-$1
  shift
  TEST_BUILD_DIR=$build TEST_SOURCE_DIR=$ROOT PYTHONPATH=$build/python PATH=$build/bin:$VENV/bin:$PATH \
    fixed_addresses "$PYTHON" -m pytest -q -p no:cacheprovider "$@"
}

sanitizers=("$@")
[[ $# -gt 0 ]] || sanitizers=(tsan asan)
for sanitizer in "${sanitizers[@]}"; do
  [[ $sanitizer == tsan || $sanitizer == asan ]] || die "usage: scripts/sanitizers.sh [tsan] [asan]"
  build "$sanitizer"
  cpp_tests "$sanitizer"
  cpp_hosts "$sanitizer"
done
[[ " ${sanitizers[*]} " != *" asan "* ]] || python_programs asan
say "No finding"
