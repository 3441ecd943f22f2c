// Sums of counts, which the format keeps below 2^63 as it does each count.
#pragma once

#include <cstdint>

namespace opcov {

/// False, and nothing added, where the sum would leave that range.
inline bool add_count(std::uint64_t& sum, std::uint64_t count) {
  if (count > INT64_MAX - sum) return false;
  sum += count;
  return true;
}

}  // namespace opcov
