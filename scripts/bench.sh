#!/usr/bin/env bash
# Measures what recording costs, with what people use today beside it. For an idle machine.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PATH=$VENV/bin:$PATH cmake -S . -B "$BUILD" -DOPCOV_BENCHMARKS=ON >/dev/null
PATH=$VENV/bin:$PATH cmake --build "$BUILD" --target opcov_call_cost

export OMP_NUM_THREADS=1
FIGURES=$BUILD/bench
mkdir -p "$FIGURES"
say "What opcov adds to one call"
"$VENV/bin/python" benchmarks/call_cost.py --program "$BUILD/bin/opcov_call_cost" --json "$FIGURES/call_cost.json"
say "Recording beside the tools that people use today"
"$VENV/bin/python" benchmarks/recording_cost.py --json "$FIGURES/recording_cost.json"
say "What whole programs pay"
"$VENV/bin/python" benchmarks/program_cost.py --json "$FIGURES/program_cost.json"
say "opcov report on 10,000 record files, beside plain Python (some minutes)"
"$VENV/bin/python" benchmarks/report_cost.py --opcov "$BUILD/bin/opcov" --json "$FIGURES/report_cost.json"
say "The figures are in $FIGURES"
