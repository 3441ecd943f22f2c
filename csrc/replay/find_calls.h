// From the names on the command line to the calls that are to be made again: snapshots, and signatures of records.
#pragma once

#include <string>
#include <vector>

#include "replay/replayed_call.h"

namespace opcov {

struct FoundCalls {
  std::vector<ReplayedCall> calls;    // in the order in which they were named; of records, as they were recorded
  std::vector<std::string> problems;  // a line for each snapshot that cannot be read
};

/// `names`: snapshots, folders of them, globs, and the first digits of digests; none of them: every signature of the
/// records. Throws Error (kBadInput) where a name leads to nothing, or digits to several signatures.
FoundCalls find_calls(const std::vector<std::string>& names, const std::vector<std::string>& records);

}  // namespace opcov
