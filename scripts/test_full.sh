#!/usr/bin/env bash
# What takes too long for every change, after `make test`: the whole of PyTorch's operator database.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

say "Comparing every sample of PyTorch's operator database (about 20 minutes)"
TEST_BUILD_DIR=$BUILD exec "$VENV/bin/python" -m pytest -q -p no:cacheprovider tests/operator_database --share 1
