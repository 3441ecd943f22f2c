#include "intercept/capture/random_values.h"

#include <cstring>

namespace opcov {

ValueRange harmless_range(c10::ScalarType dtype) {
  using c10::ScalarType;
  const bool bytes = dtype == ScalarType::Float8_e8m0fnu || dtype == ScalarType::Float4_e2m1fn_x2;
  const bool numbers = c10::isFloatingType(dtype) || c10::isComplexType(dtype);
  return numbers && !bytes ? ValueRange{-1, 1} : ValueRange{0, 2};
}

void fill_with_random_values(c10::ScalarType dtype, ValueRange range, std::uint64_t seed, char* memory,
                             std::size_t bytes) {
  with_component_type(dtype, [&](auto component) {
    using T = decltype(component);
    const std::size_t elements = bytes / sizeof(T);
    for (std::size_t i = 0; i < elements; ++i) {
      const T value = random_value<T>(seed, i, range);
      std::memcpy(memory + i * sizeof(T), &value, sizeof value);
    }
    std::memset(memory + elements * sizeof(T), 0, bytes - elements * sizeof(T));
  });
}

}  // namespace opcov
