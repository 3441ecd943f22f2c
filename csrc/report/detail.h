// The report's side file: what the report itself has no place for. See docs/detail-format.md.
#pragma once

#include "base/sink.h"
#include "format/canonical_json.h"
#include "report/coverage.h"
#include "report/near_misses.h"
#include "report/weight.h"

namespace opcov {

void write_detail(const Coverage& coverage, NearMisses& near_misses, const Sink& sink);

/// A row's signature, parsed once, and what one of its calls weighs.
struct WeighedSignature {
  Json value;
  Weight weight;
};

WeighedSignature weighed(const CoverageRow& row);

/// A row as the side file has it; `signature` is the row's.
OrderedJson row_detail(const CoverageRow& row, const WeighedSignature& signature, NearMisses& near_misses);

OrderedJson remarks_json(const RecorderRemarks& remarks);

/// One near miss as the side file has it.
OrderedJson near_miss_json(const NearMiss& miss);

}  // namespace opcov
