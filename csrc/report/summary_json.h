// The summary for programs (docs/cli.md, opcov summary).
#pragma once

#include "base/sink.h"
#include "report/coverage.h"

namespace opcov {

/// All signatures, however many. What no inputs tell is null.
void write_summary_json(const Coverage& coverage, const Sink& sink);

}  // namespace opcov
