// Numbers drawn for one element of a tensor: they follow from a seed and the element's place in memory alone, so that
// any thread can draw any of them, and a GPU draws what a CPU does, to the bit.
//
// SplitMix64 at its index-th step. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
#pragma once

#include <c10/core/ScalarType.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define OPCOV_HOST_DEVICE __host__ __device__
#else
#define OPCOV_HOST_DEVICE
#endif

namespace opcov {

/// From low to below high; at most 2^32 whole numbers. A bool is either, whatever the range.
struct ValueRange {
  double low = -1;
  double high = 1;
};

OPCOV_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

template <class T>
OPCOV_HOST_DEVICE T random_value(std::uint64_t seed, std::uint64_t index, ValueRange range) {
  const std::uint64_t bits = random_bits(seed, index);
  if constexpr (std::is_same_v<T, bool>) {
    return (bits >> 63U) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    const auto low = static_cast<std::int64_t>(range.low);
    const auto numbers = static_cast<std::uint64_t>(static_cast<std::int64_t>(range.high) - low);
    return static_cast<T>(low + static_cast<std::int64_t>(((bits >> 32U) * numbers) >> 32U));
  } else {
    // One rounding, which a compiler cannot place elsewhere: the same on every machine.
    const double from_0_to_1 = static_cast<double>(bits >> 40U) * 0x1p-24;
    const double value = std::fma(from_0_to_1, range.high - range.low, range.low);
    if constexpr (std::is_same_v<T, double>)
      return value;
    else
      return static_cast<T>(static_cast<float>(value));
  }
}

/// use(T()) of what memory of the dtype holds one behind the other: a complex number is two. What has no C++ type that
/// holds numbers (packed bits and such) is bytes.
template <class Use>
void with_component_type(c10::ScalarType dtype, Use use) {
  using c10::ScalarType;
  switch (dtype) {
    case ScalarType::Double:
    case ScalarType::ComplexDouble: return use(double());
    case ScalarType::Float:
    case ScalarType::ComplexFloat: return use(float());
    case ScalarType::Half:
    case ScalarType::ComplexHalf: return use(c10::Half());
    case ScalarType::BFloat16: return use(c10::BFloat16());
    case ScalarType::Float8_e5m2: return use(c10::Float8_e5m2());
    case ScalarType::Float8_e4m3fn: return use(c10::Float8_e4m3fn());
    case ScalarType::Float8_e5m2fnuz: return use(c10::Float8_e5m2fnuz());
    case ScalarType::Float8_e4m3fnuz: return use(c10::Float8_e4m3fnuz());
    case ScalarType::Bool: return use(bool());
    case ScalarType::Char: return use(std::int8_t());
    case ScalarType::Short: return use(std::int16_t());
    case ScalarType::UInt16: return use(std::uint16_t());
    case ScalarType::Int: return use(std::int32_t());
    case ScalarType::UInt32: return use(std::uint32_t());
    case ScalarType::Long: return use(std::int64_t());
    case ScalarType::UInt64: return use(std::uint64_t());
    default: return use(std::uint8_t());
  }
}

}  // namespace opcov
