// The coverage as a text for a terminal: totals by stage and operator, the largest uncovered signatures, and what the
// recorders had to say.
#pragma once

#include <cstddef>
#include <string>

#include "report/coverage.h"
#include "report/table.h"

namespace opcov {

struct SummaryOptions {
  std::size_t top = 20;  // how many signatures to list
  TextStyle style;
};

std::string summary_text(const Coverage& coverage, const SummaryOptions& options);

}  // namespace opcov
