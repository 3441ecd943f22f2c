#include "report/tensor_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "format/canonical_json.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

struct Dim {
  std::size_t number;
  std::int64_t size;
  std::int64_t stride;
};

std::optional<std::vector<Dim>> dims_of(const Json& tensor) {
  const Json shape = tensor.value("shape", Json());
  const Json stride = tensor.value("stride", Json());
  if (!shape.is_array() || !stride.is_array() || shape.size() != stride.size()) return std::nullopt;
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is_number_integer() || !stride[i].is_number_integer()) return std::nullopt;
    dims.push_back({i, shape[i].get<std::int64_t>(), stride[i].get<std::int64_t>()});
  }
  return dims;
}

std::string joined(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

// The order of the dims in memory where they follow each other, gaps allowed; outer first.
std::vector<Dim> in_memory_order(std::vector<Dim> dims) {
  std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.stride > b.stride; });
  return dims;
}

// Of those among a tensor's `dims` that have an order.
std::string order_text(const std::vector<Dim>& ordered, std::size_t dims) {
  std::vector<std::size_t> numbers;
  for (const Dim& dim : ordered) numbers.push_back(dim.number);
  if (std::is_sorted(numbers.begin(), numbers.end())) return {};
  // All but the channels, which are dim 1, in their order, and then these.
  const bool channels_are_last = numbers.back() == 1 && std::is_sorted(numbers.begin(), numbers.end() - 1);
  if (dims >= 4 && channels_are_last) return "channels last";
  return "transposed (dims in memory: " + joined(numbers) + ")";
}

// A gap behind a dim: the next one out steps over more than there is. "2640 of 10560" where the step is a multiple.
struct Gap {
  std::size_t dim;
  std::string of;
};

std::optional<std::vector<Gap>> gaps_of(const std::vector<Dim>& ordered) {
  std::vector<Gap> gaps;
  std::int64_t dense = 1;
  for (std::size_t i = ordered.size(); i-- > 0;) {
    const Dim& dim = ordered[i];
    if (dim.size == 0 || dim.stride < dense) return std::nullopt;  // overlaps itself, or is empty
    if (dim.stride > dense) {
      if (i + 1 == ordered.size()) {
        gaps.push_back({dim.number, "every " + std::to_string(dim.stride) + "th element"});
      } else {
        const Dim& inner = ordered[i + 1];
        const bool whole = dim.stride % inner.stride == 0;
        gaps.push_back(
            {inner.number, whole ? std::to_string(inner.size) + " of " + std::to_string(dim.stride / inner.stride)
                                 : "a step of " + std::to_string(dim.stride)});
      }
    }
    if (__builtin_mul_overflow(dim.size, dim.stride, &dense)) return std::nullopt;
  }
  return gaps;
}

TensorLayout strided_layout(const std::vector<Dim>& dims, const Json& tensor) {
  TensorLayout layout;
  const auto add = [&](const std::string& kind, const std::string& text) {
    layout.kind += (layout.kind.empty() ? "" : ", ") + kind;
    layout.text += (layout.text.empty() ? "" : ", ") + text;
  };
  std::vector<std::size_t> expanded;
  std::vector<Dim> laid;
  for (const Dim& dim : dims) {
    if (dim.stride == 0 && dim.size > 1)
      expanded.push_back(dim.number);
    else
      laid.push_back(dim);
  }
  if (!expanded.empty()) add("expanded along dim " + joined(expanded), "expanded along dim " + joined(expanded));
  if (is_contiguous(tensor.at("shape"), tensor.at("stride"))) return {"contiguous", "contiguous"};
  // Where a dim of one element stands says nothing of the order, but its stride tells of a slice.
  std::vector<Dim> ordered = in_memory_order(laid);
  std::vector<Dim> larger;
  std::copy_if(ordered.begin(), ordered.end(), std::back_inserter(larger), [](const Dim& d) { return d.size != 1; });
  auto gaps = gaps_of(ordered);
  if (!gaps) gaps = gaps_of(ordered = larger);
  if (!gaps) {
    const std::string strides = "strides " + canonical_json(tensor.at("stride"));
    return {strides, strides};
  }
  if (const std::string order = order_text(larger, dims.size()); !order.empty()) add(order, order);
  for (const Gap& gap : *gaps) {
    const std::string slice = "a slice of a longer dim " + std::to_string(gap.dim);
    add(slice, slice + " (" + gap.of + ")");
  }
  if (layout.kind.empty()) add("contiguous but for dims of one element", "contiguous but for dims of one element");
  return layout;
}

}  // namespace

TensorLayout tensor_layout(const Json& tensor) {
  const Json layout = tensor.value("layout", Json());
  if (layout.is_string()) {
    const std::string name = constant_text(layout.get<std::string>());
    return {name, name};
  }
  const auto dims = dims_of(tensor);
  if (!dims) return {"unknown", "unknown"};
  return strided_layout(*dims, tensor);
}

}  // namespace opcov
