#!/usr/bin/env bash
# Runs every test. All of them are CTest tests: `ctest --test-dir build -L quick` is the short round.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

say "Testing"
# The environment of whoever calls must not switch recording on or choose options for the tests.
while read -r name; do unset "$name"; done < <(compgen -e | grep '^OPCOV' || true)
PATH=$VENV/bin:$PATH exec ctest --test-dir "$BUILD" --output-on-failure -j "$JOBS"
