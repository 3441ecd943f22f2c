// What stands below a summary's tables: what the recorders could not see, where files end early, which ranks are
// missing. Empty where there is nothing to say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/coverage.h"
#include "report/table.h"

namespace opcov {

/// Ranks below the world size of which there is no file.
std::vector<std::uint64_t> missing_ranks(const Coverage& coverage);

std::string remarks_text(const Coverage& coverage, const TextStyle& style);

}  // namespace opcov
