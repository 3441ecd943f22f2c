// Whole numbers that may be unknown: what a call computes or moves. Nothing stands for unknown, and so does what leaves
// the range from 0 to 2^63-1, which no call that ever ran needs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace opcov {

using Amount = std::optional<std::uint64_t>;

inline Amount plus(Amount a, Amount b) {
  std::uint64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum) || sum > INT64_MAX) return std::nullopt;
  return sum;
}

inline Amount times(Amount a, Amount b) {
  std::uint64_t product = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &product) || product > INT64_MAX) return std::nullopt;
  return product;
}

inline Amount product(std::initializer_list<Amount> factors) {
  Amount all = 1;
  for (const Amount& factor : factors) all = times(all, factor);
  return all;
}

/// Of sizes; 0 where one is, however large the others are.
inline Amount product(const std::vector<std::uint64_t>& sizes) {
  Amount all = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0) return 0;
    all = times(all, size);
  }
  return all;
}

}  // namespace opcov
