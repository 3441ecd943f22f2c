// The report's side file: what the report itself has no place for. See docs/detail-format.md.
#pragma once

#include "base/sink.h"
#include "format/canonical_json.h"
#include "report/coverage.h"
#include "report/near_misses.h"

namespace opcov {

void write_detail(const Coverage& coverage, NearMisses& near_misses, const Sink& sink);

/// A row as the side file has it.
OrderedJson row_detail(const CoverageRow& row, NearMisses& near_misses);

/// One near miss as the side file has it.
OrderedJson near_miss_json(const NearMiss& miss);

}  // namespace opcov
