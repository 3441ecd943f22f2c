// Fills a tensor with made-up values, on the device where it is.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "replay/made_values.h"

namespace opcov {

/// Equal seeds give equal values on every device. Throws Error (kFailure) where the GPU cannot be used.
void fill_tensor(const at::Tensor& tensor, const MadeValues& values, std::uint64_t seed);

}  // namespace opcov
