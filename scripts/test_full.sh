#!/usr/bin/env bash
# What takes too long for every change, after `make test`: 200 kills, a million signatures, many forks, the whole of
# PyTorch's operator database, long fuzzing, and sanitizers.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pytest() { TEST_BUILD_DIR=$BUILD "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$@"; }

say "Killing 200 recorded programs"
pytest tests/ends/test_kills.py --kills 200

say "Recording a million signatures, and forking beside calls again and again"
pytest tests/memory --signatures 1000000
pytest tests/forks --rounds 20

say "Comparing every sample of PyTorch's operator database (about 20 minutes)"
pytest tests/operator_database --share 1
say "Replaying every signature of the database"
pytest tests/replay/test_database.py --share 1

scripts/fuzz.sh --unsanitized --runs 10000000
scripts/fuzz.sh --seconds 600
scripts/sanitizers.sh
