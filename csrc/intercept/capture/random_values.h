// Values made up for tensors of which only the structure may leave the machine.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>

namespace opcov {

/// Fills memory with elements: from -1 to 1, whole ones 0 or 1, so that they are indices in most places. Equal seeds
/// give equal values.
void fill_with_random_values(c10::ScalarType dtype, std::uint64_t seed, char* memory, std::size_t bytes);

}  // namespace opcov
