// From the names on a command line to a Coverage: find the record files, read them, match the profiled inputs.
#pragma once

#include <string>
#include <vector>

#include "report/coverage.h"
#include "report/profiled_inputs.h"

namespace opcov {

struct Loaded {
  Coverage coverage;
  std::vector<Finding> warnings;  // damage that was left out among them
};

/// Throws Error (kBadInput) at the first file that breaks the format, and where there is no record at all.
Loaded load_coverage(const std::vector<std::string>& records, const ProfiledInputs& inputs);

}  // namespace opcov
