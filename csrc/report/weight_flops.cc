#include "report/weight_flops.h"

#include <utility>
#include <vector>

namespace opcov::flops {
namespace {

using Sizes = std::vector<std::uint64_t>;

Sizes from(const Sizes& sizes, std::size_t begin) {
  return {sizes.begin() + static_cast<std::ptrdiff_t>(begin), sizes.end()};
}

// The weight meets each place of the output once, of a transposed convolution each of the input; for each item of the
// batch, which a call without one has left out.
Amount of_convolution(const StridedTensor& input, const StridedTensor& weight, const StridedTensor& output,
                      bool transposed) {
  const std::size_t dims = weight.sizes.size();
  const Sizes& places = (transposed ? input : output).sizes;
  if (dims < 3 || input.sizes.size() != output.sizes.size()) return std::nullopt;
  // PyTorch makes several real convolutions of a complex one.
  if (input.dtype.starts_with("complex")) return std::nullopt;
  const bool batched = input.sizes.size() == dims;
  if (!batched && input.sizes.size() + 1 != dims) return std::nullopt;
  return product({2, batched ? input.sizes.front() : 1, product(from(places, batched ? 2 : 1)), weight.elements()});
}

Amount convolution_where(const WeighedCall& call, bool transposed) {
  const auto input = call.tensor(0);
  const auto weight = call.tensor(1);
  const auto output = call.output();
  if (!input || !weight || !output) return std::nullopt;
  return of_convolution(*input, *weight, *output, transposed);
}

struct Attention {
  Amount pairs;  // of a query with a key, over batch and heads
  std::uint64_t query_features;
  std::uint64_t value_features;
};

// query, key and value from the argument `first` on; `sequence` is the dim of the sequences, the features are the last.
std::optional<Attention> attention_of(const WeighedCall& call, std::size_t first, std::size_t from_end) {
  const auto query = call.tensor(first);
  const auto key = call.tensor(first + 1);
  const auto value = call.tensor(first + 2);
  if (!query || !key || !value) return std::nullopt;
  const std::size_t dims = query->sizes.size();
  if (dims < from_end || key->sizes.size() != dims || value->sizes.size() != dims) return std::nullopt;
  // Of a broadcast batch, or of queries that share a head of keys, the longer side.
  Amount pairs = 1;
  for (std::size_t i = 0; i + 1 < dims; ++i) {
    const bool sequence = i == dims - from_end;
    const std::uint64_t q = query->sizes[i];
    const std::uint64_t k = key->sizes[i];
    pairs = sequence ? product({pairs, q, k}) : times(pairs, q == 1 ? k : q);
  }
  return Attention{pairs, query->sizes.back(), value->sizes.back()};
}

// Scores from queries and keys, then values by scores.
Amount forward(const std::optional<Attention>& a) {
  if (!a) return std::nullopt;
  return product({2, a->pairs, plus(a->query_features, a->value_features)});
}

// Scores once more, then the gradients of scores and values, of queries and keys.
Amount backward(const std::optional<Attention>& a) {
  if (!a) return std::nullopt;
  return product({2, a->pairs, plus(times(3, a->query_features), times(2, a->value_features))});
}

}  // namespace

Amount contraction(const WeighedCall& call, std::size_t first) {
  const auto factor = call.tensor(first);
  const auto output = call.output();
  if (!factor || factor->sizes.empty() || !output) return std::nullopt;
  return product({2, output->elements(), factor->sizes.back()});
}

Amount batch_sum(const WeighedCall& call) {
  const auto factor = call.tensor(1);
  if (!factor || factor->sizes.size() != 3) return std::nullopt;
  return times(factor->sizes.front(), contraction(call, 1));
}

Amount convolution(const WeighedCall& call) { return convolution_where(call, false); }

Amount transposed_convolution(const WeighedCall& call) { return convolution_where(call, true); }

Amount convolution_either(const WeighedCall& call) {
  const Json& transposed = call.argument(6);
  if (!transposed.is_boolean()) return std::nullopt;
  return convolution_where(call, transposed.get<bool>());
}

// Each gradient, of the input and of the weight, takes as much as the convolution did.
Amount convolution_backward(const WeighedCall& call) {
  const auto output = call.tensor(0);
  const auto input = call.tensor(1);
  const auto weight = call.tensor(2);
  const Json& transposed = call.argument(7);
  const Json& wanted = call.argument(10);
  if (!output || !input || !weight || !transposed.is_boolean() || !wanted.is_array() || wanted.size() != 3)
    return std::nullopt;
  const std::uint64_t gradients = (wanted[0] == true ? 1 : 0) + (wanted[1] == true ? 1 : 0);
  return times(gradients, of_convolution(*input, *weight, *output, transposed.get<bool>()));
}

Amount attention(const WeighedCall& call) { return forward(attention_of(call, 0, 2)); }

Amount attention_backward(const WeighedCall& call) { return backward(attention_of(call, 1, 2)); }

Amount attention_by_sequence(const WeighedCall& call, std::size_t lengths) {
  return call.argument(lengths).is_null() ? forward(attention_of(call, 0, 3)) : std::nullopt;
}

Amount attention_by_sequence_backward(const WeighedCall& call) {
  return call.argument(6).is_null() ? backward(attention_of(call, 1, 3)) : std::nullopt;
}

}  // namespace opcov::flops
