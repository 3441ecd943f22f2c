// Weights added up over calls, together with what is not known of them: a share without that would be none.
#pragma once

#include <cstdint>
#include <string>

#include "format/canonical_json.h"
#include "report/coverage.h"
#include "report/weight.h"

namespace opcov {

/// Of one quantity, FLOPs or bytes. Floating point: the calls of a large job outgrow 64 bits.
struct WeightTotal {
  double all = 0;
  double covered = 0;
  std::uint64_t unknown_signatures = 0;
  std::uint64_t unknown_calls = 0;

  void add(Amount of_a_call, const CoverageRow& row);
};

struct WeightTotals {
  WeightTotal flops;
  WeightTotal bytes;

  void add(const Weight& weight, const CoverageRow& row);
};

/// `{"flops":{"all":..,"covered":..,"unknown_signatures":..,"unknown_calls":..},"bytes":{..}}`.
OrderedJson totals_json(const WeightTotals& totals);

/// A whole number as one, as far as floating point tells whole numbers apart.
OrderedJson number_json(double number);

/// Of a number of FLOPs or bytes, three digits: 1.63e15 -> "1.63 P", 999 -> "999".
std::string short_amount(double amount);

/// Null where it is unknown.
OrderedJson amount_json(Amount amount);

/// "1,234" or "unknown".
std::string amount_text(Amount amount);

}  // namespace opcov
