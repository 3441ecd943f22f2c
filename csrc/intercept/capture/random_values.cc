#include "intercept/capture/random_values.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>
#include <c10/util/Half.h>

#include <cstring>
#include <type_traits>

namespace opcov {
namespace {

/// SplitMix64: small, fast, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  float from_minus_one_to_one() { return static_cast<float>(next() >> 40U) / static_cast<float>(1U << 23U) - 1.0F; }

 private:
  std::uint64_t state_;
};

template <class T>
T one(Random& random) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random.next() >> 63U);
  else
    return static_cast<T>(random.from_minus_one_to_one());
}

template <class T>
void fill(Random& random, char* memory, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    const T value = one<T>(random);
    std::memcpy(memory + at, &value, sizeof value);
  }
}

}  // namespace

void fill_with_random_values(c10::ScalarType dtype, std::uint64_t seed, char* memory, std::size_t bytes) {
  Random random(seed);
  std::memset(memory, 0, bytes);
  using c10::ScalarType;
  switch (dtype) {
    case ScalarType::Double:
    case ScalarType::ComplexDouble: return fill<double>(random, memory, bytes);
    case ScalarType::Float:
    case ScalarType::ComplexFloat: return fill<float>(random, memory, bytes);
    case ScalarType::Half:
    case ScalarType::ComplexHalf: return fill<c10::Half>(random, memory, bytes);
    case ScalarType::BFloat16: return fill<c10::BFloat16>(random, memory, bytes);
    case ScalarType::Float8_e5m2: return fill<c10::Float8_e5m2>(random, memory, bytes);
    case ScalarType::Float8_e4m3fn: return fill<c10::Float8_e4m3fn>(random, memory, bytes);
    case ScalarType::Float8_e5m2fnuz: return fill<c10::Float8_e5m2fnuz>(random, memory, bytes);
    case ScalarType::Float8_e4m3fnuz: return fill<c10::Float8_e4m3fnuz>(random, memory, bytes);
    case ScalarType::Short:
    case ScalarType::UInt16: return fill<std::uint16_t>(random, memory, bytes);
    case ScalarType::Int:
    case ScalarType::UInt32: return fill<std::uint32_t>(random, memory, bytes);
    case ScalarType::Long:
    case ScalarType::UInt64: return fill<std::uint64_t>(random, memory, bytes);
    default: return fill<std::uint8_t>(random, memory, bytes);  // bytes, bools and what is packed into bytes
  }
}

}  // namespace opcov
