// A signature on one line for people: `linear(bf16[1,2640,5120], bf16[5120,5120]) -> bf16[1,2640,5120]`.
//
// Strides stand behind a tensor, `bf16[4,8]{1,4}`, only where they are not those of a contiguous tensor.
#pragma once

#include <string>

#include "format/strict_json.h"

namespace opcov {

std::string signature_text(const Json& signature);

/// One argument: `bf16[4,8]{1,4}`, `None`, `[1, 2]`, `uint8` of "torch.uint8".
std::string value_text(const Json& value);

/// "torch.bfloat16" -> "bf16", "torch.sparse_csr" -> "sparse_csr".
std::string constant_text(std::string text);

/// Are these, of equal lengths, the strides that a new tensor of the shape has?
bool is_contiguous(const Json& shape, const Json& stride);

/// "aten.linear.default" -> "linear", "aten.to.dtype" -> "to.dtype", "vllm.fused_moe.default" -> "vllm.fused_moe".
std::string operator_text(const std::string& op);

}  // namespace opcov
