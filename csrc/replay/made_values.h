// Which values a made-up tensor gets, so that the operator can do its work: indices lie in range, variances are
// positive, a matrix that is to be factorised is positive definite. One table, by operator and argument. Free of
// torch's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "replay/call_arguments.h"

namespace opcov {

struct MadeValues {
  enum class Kind : std::uint8_t {
    kRange,             // random, from low to high; whole numbers to below high
    kSpread,            // ascending, evenly from low to high
    kCount,             // `n` elements are not zero
    kDistinct,          // `n` different values
    kPeak,              // random from 0, the largest is n
    kSum,               // whole numbers whose sum is n
    kPositions,         // 1, 2, 3, .. along the last dimension
    kPositiveDefinite,  // matrices
    kNonsingular,       // matrices that are far from singular
  };
  Kind kind = Kind::kRange;
  double low = -1;
  double high = 1;
  std::int64_t n = 0;
};

/// `item`: of a list of tensors. `is_floating`: the tensor's elements are numbers with fractions.
MadeValues made_values(const CallArguments& call, const std::string& argument, std::size_t item, bool is_floating);

}  // namespace opcov
