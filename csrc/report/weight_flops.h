// Formulas for the floating point operations of one call, in the convention of torch.utils.flop_counter: products of
// matrices, convolutions and attention count a multiplication and an addition a pair; nothing else counts.
//
// Each gives nothing where the call is not of the form it is for.
#pragma once

#include <cstddef>

#include "report/weight_call.h"

namespace opcov::flops {

using Formula = Amount (*)(const WeighedCall&);

inline Amount none(const WeighedCall& /*call*/) { return 0; }

/// Each element of the output is a sum over the last dim of the first factor, which is the argument `kFirst`.
Amount contraction(const WeighedCall& call, std::size_t first);
template <std::size_t kFirst>
Amount contraction(const WeighedCall& call) {
  return contraction(call, kFirst);
}

/// addbmm: products of matrices that are summed over the batch.
Amount batch_sum(const WeighedCall& call);

// Convolutions of argument 0 with the weight, argument 1.
Amount convolution(const WeighedCall& call);
Amount transposed_convolution(const WeighedCall& call);
Amount convolution_either(const WeighedCall& call);  // argument 6 says which
Amount convolution_backward(const WeighedCall& call);

// Attention over query, key and value, [batch, heads, sequence, features] unless said otherwise. Masks leave nothing
// out.
Amount attention(const WeighedCall& call);
Amount attention_backward(const WeighedCall& call);

// [batch, sequence, heads, features]; nothing where lengths of sequences stand in tensors (argument `kLengths`).
Amount attention_by_sequence(const WeighedCall& call, std::size_t lengths);
template <std::size_t kLengths>
Amount attention_by_sequence(const WeighedCall& call) {
  return attention_by_sequence(call, kLengths);
}
Amount attention_by_sequence_backward(const WeighedCall& call);

}  // namespace opcov::flops
