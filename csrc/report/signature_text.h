// A signature on one line for people: `linear(bf16[1,2640,5120], bf16[5120,5120]) -> bf16[1,2640,5120]`.
//
// Strides stand behind a tensor, `bf16[4,8]{1,4}`, only where they are not those of a contiguous tensor.
#pragma once

#include <string>

#include "format/strict_json.h"

namespace opcov {

std::string signature_text(const Json& signature);

/// "aten.linear.default" -> "linear", "aten.to.dtype" -> "to.dtype", "vllm.fused_moe.default" -> "vllm.fused_moe".
std::string operator_text(const std::string& op);

}  // namespace opcov
