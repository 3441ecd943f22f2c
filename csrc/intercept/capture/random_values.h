// Values made up for tensors of which only the structure is known, or may leave the machine.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>

#include "cuda/random_value.h"

namespace opcov {

/// From -1 to 1; whole numbers 0 or 1, so that they are indices in most places.
ValueRange harmless_range(c10::ScalarType dtype);

/// Fills memory with elements. Equal seeds give equal values, which are those of fill_on_device() (cuda/fill.h).
void fill_with_random_values(c10::ScalarType dtype, ValueRange range, std::uint64_t seed, char* memory,
                             std::size_t bytes);

}  // namespace opcov
