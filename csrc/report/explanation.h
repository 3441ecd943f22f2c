// Everything that is known of one signature, for people and for programs.
#pragma once

#include <string>

#include "format/canonical_json.h"
#include "report/coverage.h"
#include "report/near_misses.h"
#include "report/table.h"

namespace opcov {

/// Some lines: the call, its digest, its calls by rank, and what covers it or what is nearest and how that differs,
/// and where in the program it was first called.
std::string explanation_text(const CoverageRow& row, bool compared, NearMisses& near_misses, const TextStyle& style);

/// The side file's row with the signature, the calls by rank, the inputs that cover it and where it was first called.
OrderedJson explanation_json(const CoverageRow& row, NearMisses& near_misses);

}  // namespace opcov
