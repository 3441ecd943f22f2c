// Which values a made-up tensor gets, so that the operator can do its work: indices lie in range, variances are
// positive, a matrix that is to be factorised is positive definite, and a mask has as many true elements as the output
// has rows. One table, by operator and argument. Free of torch's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "replay/call_arguments.h"

namespace opcov {

struct MadeValues {
  /// Random: from low to high, whole numbers to below high.
  double low = -1;
  double high = 1;

  /// Instead: by the place along this dimension, or among all elements where there is none.
  std::function<std::int64_t(std::int64_t place)> by_place;
  std::optional<std::int64_t> dim;

  bool positive_definite = false;     // instead: such matrices
  std::int64_t storage_elements = 0;  // at least, where the operator reaches beyond the tensor
};

/// `item`: of a list of tensors. `is_floating`: the tensor's elements are numbers with fractions.
MadeValues made_values(const CallArguments& call, const std::string& argument, std::size_t item, bool is_floating);

}  // namespace opcov
