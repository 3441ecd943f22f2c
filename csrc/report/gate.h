// Gates for CI: is enough of the work covered?
//
// Work is calls, signatures or FLOPs of rows for which a kernel ran; rows that give their input back are none. FLOPs
// that are unknown are left out of the share, and where none are known while some calls' are not, the gate fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/coverage.h"

namespace opcov {

enum class GateBy { kCalls, kSignatures, kFlops };

/// "80", "99.5": a percentage from 0 to 100 with six decimals at most, as millionths of a percent.
std::optional<std::uint64_t> parse_percentage(const std::string& text);

struct GateResult {
  bool passed = false;
  std::string text;      // what is covered, and where it failed what was asked for
  std::string left_out;  // what is unknown; empty where nothing is
};

GateResult gate(const Coverage& coverage, GateBy by, std::uint64_t least);

}  // namespace opcov
