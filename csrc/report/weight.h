// What a call weighs: the floating point operations that it asks for and the bytes that it moves, from its structure
// alone. See docs/weights.md. Neither says how long the call takes.
#pragma once

#include <string>

#include "format/strict_json.h"
#include "report/weight_amount.h"

namespace opcov {

struct CoverageRow;

/// Of one call; nothing stands for unknown.
struct Weight {
  Amount flops;
  Amount bytes;
};

/// `signature` has no devices. Operators that the table (weight.cc) does not name are unknown.
Weight weight_of(const Json& signature);

/// A row whose calls give their input back weighs nothing.
Weight weight_of(const CoverageRow& row, const Json& signature);

}  // namespace opcov
