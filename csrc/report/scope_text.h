// The report's `scope`: what was compared, in figures, and what the report does not show.
#pragma once

#include <string>

#include "report/coverage.h"

namespace opcov {

std::string scope_text(const Coverage& coverage);

/// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

/// (1, "file") -> "1 file"; (8000, "file") -> "8,000 files".
std::string counted(std::uint64_t number, const std::string& noun);

}  // namespace opcov
