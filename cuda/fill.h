// Fills GPU memory with random numbers, without a copy from the host. Source: random_value.h, which a CPU follows too
// (csrc/intercept/capture/random_values.h).
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>

#include "cuda/random_value.h"

namespace opcov {

/// Starts the work on the stream, a cudaStream_t, and does not wait for it. The whole memory is filled, what a strided
/// tensor leaves out too. Threads: any. Errors: CUDA's words for what went wrong; null where nothing did.
const char* fill_on_device(c10::ScalarType dtype, ValueRange range, std::uint64_t seed, void* memory, std::size_t bytes,
                           void* stream);

}  // namespace opcov
