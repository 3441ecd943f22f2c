#!/usr/bin/env bash
# Prints our own C++ and CUDA files, one a line.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

find include csrc cuda examples tests benchmarks -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | LC_ALL=C sort
