// How a tensor lies in memory, in words.
#pragma once

#include <string>

#include "format/strict_json.h"

namespace opcov {

struct TensorLayout {
  std::string kind;  // without the tensor's sizes: equal kinds take a kernel the same way
  std::string text;  // with them
};

/// "contiguous", "channels last", "transposed (dims in memory: 1, 0)", "expanded along dim 0", "a slice of a longer dim
/// 1 (2640 of 10560)", or what fits none of these: "strides [3,7]". Of a tensor that is not strided its layout:
/// "sparse_csr".
TensorLayout tensor_layout(const Json& tensor);

}  // namespace opcov
