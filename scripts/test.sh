#!/usr/bin/env bash
# Runs every test. All of them are CTest tests: `ctest --test-dir build -L quick` is the short round.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

say "Testing"
without_settings
PATH=$VENV/bin:$PATH exec ctest --test-dir "$BUILD" --output-on-failure -j "$JOBS"
