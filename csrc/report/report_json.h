// The coverage report as JSON, byte for byte as Python's json.dump(indent=2) writes it, and a newline. See
// docs/report-format.md.
#pragma once

#include <string>

#include "base/sink.h"
#include "report/coverage.h"

namespace opcov {

void write_report(const Coverage& coverage, const std::string& scope, const Sink& sink);

}  // namespace opcov
