#include "report/weight_call.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "format/signature.h"

namespace opcov {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 20> kDtypeBytes = {{
    {"bfloat16", 2}, {"bool", 1},    {"complex128", 16}, {"complex32", 4}, {"complex64", 8},
    {"float16", 2},  {"float32", 4}, {"float64", 8},     {"int16", 2},     {"int32", 4},
    {"int64", 8},    {"int8", 1},    {"qint32", 4},      {"qint8", 1},     {"quint8", 1},
    {"uint16", 2},   {"uint32", 4},  {"uint64", 8},      {"uint8", 1},     {"float4_e2m1fn_x2", 1},
}};

Amount bytes_of(std::string_view dtype) {
  if (dtype.starts_with("float8_")) return 1;
  const auto* known =
      std::find_if(kDtypeBytes.begin(), kDtypeBytes.end(), [&](const auto& entry) { return entry.first == dtype; });
  return known == kDtypeBytes.end() ? Amount() : known->second;
}

std::optional<std::vector<std::uint64_t>> counts_of(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::uint64_t> counts;
  for (const Json& item : list) {
    const auto count = as_count(item);
    if (!count) return std::nullopt;
    counts.push_back(*count);
  }
  return counts;
}

}  // namespace

Amount StridedTensor::distinct_elements() const {
  Amount reached = 1;  // from the first element to the last
  Amount all = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    reached = plus(reached, times(sizes[i] - 1, strides[i]));
    if (strides[i] != 0) all = times(all, sizes[i]);
  }
  return reached && all ? std::min(*reached, *all) : Amount();
}

bool StridedTensor::is_dense() const {
  Amount expected = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0) return true;
    if (sizes[i] != 1 && strides[i] != expected) return false;
    expected = times(expected, sizes[i]);
  }
  return true;
}

Amount StridedTensor::bytes() const { return times(distinct_elements(), bytes_of(dtype)); }

std::optional<StridedTensor> strided_tensor(const Json& value) {
  constexpr std::string_view kTorch = "torch.";
  if (!is_tensor(value) || value.contains("layout")) return std::nullopt;
  const Json& dtype = value.at("dtype");
  auto sizes = counts_of(value.value("shape", Json()));
  auto strides = counts_of(value.value("stride", Json()));
  if (!dtype.is_string() || !sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
  std::string name = dtype.get<std::string>();
  if (name.starts_with(kTorch)) name.erase(0, kTorch.size());
  return StridedTensor{std::move(name), std::move(*sizes), std::move(*strides)};
}

const Json& WeighedCall::argument(std::size_t place) const {
  static const Json none;
  const Json& args = signature_.at("args");
  return place < args.size() ? args[place] : none;
}

std::optional<StridedTensor> WeighedCall::output() const {
  const Json& output = signature_.at("output");
  if (output.is_array()) return output.empty() ? std::nullopt : strided_tensor(output.front());
  return strided_tensor(output);
}

}  // namespace opcov
