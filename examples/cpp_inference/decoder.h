// A small video decoder: 3-D convolutions in float32 that turn latents into pixels.
#pragma once

#include <ATen/ATen.h>

namespace example {

/// A 3-D convolution over frames, height and width that keeps their sizes.
struct Conv {
  at::Tensor weight;
  at::Tensor bias;

  Conv(int64_t in, int64_t out, const at::TensorOptions& options)
      : weight(at::randn({out, in, 3, 3, 3}, options) * 0.1), bias(at::zeros({out}, options)) {}

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv3d(x, weight, bias, /*stride=*/1, /*padding=*/1, /*dilation=*/1, /*groups=*/1);
  }
};

/// [batch, channels, frames, height, width] to [batch, 3, frames, 2 height, 2 width], values around 0.
struct Decoder {
  Conv in, middle, out;

  Decoder(int64_t channels, int64_t width, const at::TensorOptions& options)
      : in(channels, width, options), middle(width, width, options), out(width, 3, options) {}

  at::Tensor operator()(const at::Tensor& latents) const {
    const auto features = at::silu(in(latents));
    const auto frames = features.size(2), height = features.size(3), width = features.size(4);
    const auto larger = at::upsample_nearest3d(features, {frames, 2 * height, 2 * width});
    return out(at::silu(middle(larger)));
  }
};

}  // namespace example
