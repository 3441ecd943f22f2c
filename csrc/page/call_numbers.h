// A signature as text with its whole numbers taken out: what is left equal when calls differ in sizes alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "format/strict_json.h"

namespace opcov {

struct CallNumber {
  enum class Kind {
    kSize,    // of a tensor among the arguments that may be dynamic
    kStride,  // of such a tensor that is not contiguous
    kValue,   // an argument
    kFixed,   // of a weight: a size or a stride that belongs to the model
  };
  Kind kind;
  std::int64_t value;
};

struct CallNumbers {
  std::string skeleton;
  std::vector<CallNumber> numbers;         // of the arguments, in order
  std::vector<std::int64_t> output_sizes;  // they follow from the arguments
};

/// `signature` has no devices.
CallNumbers call_numbers(const Json& signature);

}  // namespace opcov
