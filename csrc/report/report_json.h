// The coverage report as JSON, byte for byte as Python's json.dump(indent=2) writes it, and a newline. See
// docs/report-format.md.
#pragma once

#include <string>

#include "report/coverage.h"

namespace opcov {

std::string report_json(const Coverage& coverage, const std::string& scope);

}  // namespace opcov
