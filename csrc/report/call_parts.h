// A call taken apart into what can differ from another: tensors, named constants, other values, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "format/strict_json.h"
#include "report/tensor_layout.h"

namespace opcov {

struct CallPart {
  enum class Kind {
    kTensor,
    kConstant,  // a dtype, a layout, a memory format
    kValue,     // numbers, strings, None, objects; the number of items of a list
  };
  std::string where;  // "arg 1[3]", "kwarg dtype"
  Kind kind;
  Json value;
  // Of a tensor alone:
  std::string dtype;
  std::vector<std::int64_t> sizes;
  double elements = 0;
  TensorLayout layout;

  std::size_t value_hash = 0;

  /// Written alike: 1 is not 1.0. Nearly all that differs is told apart by the hash.
  bool same_value(const CallPart& other) const { return value_hash == other.value_hash && value == other.value; }
};

/// Of the arguments in order, then of the keyword arguments by name. `signature` has no devices.
std::vector<CallPart> parts_of_arguments(const Json& signature);

/// Of the output; empty where the signature leaves it out.
std::vector<CallPart> parts_of_output(const Json& signature);

}  // namespace opcov
