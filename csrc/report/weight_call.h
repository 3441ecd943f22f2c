// A call as formulas for its work ask for it: strided tensors by their place among the arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/strict_json.h"
#include "report/weight_amount.h"

namespace opcov {

struct StridedTensor {
  std::string dtype;  // without "torch."
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> strides;  // as many

  Amount elements() const { return product(sizes); }

  /// How many elements of memory it reaches: an expanded dim counts once, windows that overlap do as well.
  Amount distinct_elements() const;

  /// In row-major order without gaps, whatever the strides of dims of one element are.
  bool is_dense() const;

  Amount bytes() const;
};

/// Nothing where the value is no strided tensor, or none that can be.
std::optional<StridedTensor> strided_tensor(const Json& value);

class WeighedCall {
 public:
  /// `signature` has no devices and must outlive this.
  explicit WeighedCall(const Json& signature) : signature_(signature) {}

  /// The positional argument, null where it is left out.
  const Json& argument(std::size_t place) const;
  std::optional<StridedTensor> tensor(std::size_t place) const { return strided_tensor(argument(place)); }

  /// The output, or the first of several.
  std::optional<StridedTensor> output() const;

  const Json& signature() const { return signature_; }

 private:
  const Json& signature_;
};

}  // namespace opcov
