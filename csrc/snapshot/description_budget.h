// How much is written about one snapshot. A pickle can share: a list of ten times a list of ten times a list... is
// small in the file and without end when written out.
#pragma once

#include <cstdint>

#include "format/format_error.h"

namespace opcov {

inline constexpr int kDeepestValue = 50;
inline constexpr std::uint64_t kLargestDescription = 8 << 20;  // bytes of JSON, roughly

class DescriptionBudget {
 public:
  void spend(std::uint64_t bytes) {
    spent_ += bytes;
    if (spent_ > kLargestDescription) throw FormatError("holds more values than the arguments of one call");
  }

  static void check_depth(int depth) {
    if (depth > kDeepestValue) throw FormatError("is nested deeper than the arguments of a call");
  }

 private:
  std::uint64_t spent_ = 0;
};

}  // namespace opcov
