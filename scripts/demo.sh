#!/usr/bin/env bash
# Runs the demo with the environment and the executables of this tree.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

say "Demo: a small Wan video model on four ranks, recorded, merged and reported on"
PATH=$VENV/bin:$BUILD/bin:$PATH exec examples/wan_demo/run.sh
