// What a summary adds up: by stage and operator, and over all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "report/coverage.h"
#include "report/weight_totals.h"

namespace opcov {

struct SummaryTotals {
  std::uint64_t signatures = 0;
  std::uint64_t calls = 0;
  std::uint64_t no_kernel_calls = 0;  // gave their input back: neither covered nor uncovered work
  std::uint64_t covered_signatures = 0;
  std::uint64_t covered_calls = 0;
  WeightTotal flops;
};

struct CoverageTotals {
  std::map<std::pair<std::string, std::string>, SummaryTotals> by_operator;  // by stage and operator
  SummaryTotals all;
};

CoverageTotals totals_of(const Coverage& coverage);

}  // namespace opcov
