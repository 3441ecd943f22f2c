// A small diffusion transformer: what takes most of the time of a video model's denoising, in bfloat16.
#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace example {

/// A linear layer's weights, seeded random.
struct Linear {
  at::Tensor weight;
  at::Tensor bias;

  Linear(int64_t in, int64_t out, const at::TensorOptions& options)
      : weight(at::randn({out, in}, options) * 0.05), bias(at::zeros({out}, options)) {}

  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
};

/// Self-attention and a feed-forward layer, each with a residual connection.
struct Block {
  static constexpr int64_t kHeads = 4;
  Linear qkv, out, up, down;

  Block(int64_t width, const at::TensorOptions& options)
      : qkv(width, 3 * width, options),
        out(width, width, options),
        up(width, 4 * width, options),
        down(4 * width, width, options) {}

  at::Tensor operator()(const at::Tensor& x) const {
    const auto batch = x.size(0), tokens = x.size(1), width = x.size(2);
    const auto heads = qkv(normed(x)).view({batch, tokens, 3, kHeads, width / kHeads}).permute({2, 0, 3, 1, 4});
    const auto mixed = at::scaled_dot_product_attention(heads[0], heads[1], heads[2]);
    const auto attended = x + out(mixed.transpose(1, 2).reshape({batch, tokens, width}));
    return attended + down(at::gelu(up(normed(attended))));
  }

 private:
  static at::Tensor normed(const at::Tensor& x) { return at::layer_norm(x, {x.size(-1)}); }
};

/// Predicts the noise of a latent video [batch, channels, frames, height, width].
struct Transformer {
  Linear in;
  std::vector<Block> blocks;
  Linear out;

  Transformer(int64_t channels, int64_t width, int64_t depth, const at::TensorOptions& options)
      : in(channels, width, options), out(width, channels, options) {
    for (int64_t i = 0; i < depth; ++i) blocks.emplace_back(width, options);
  }

  at::Tensor operator()(const at::Tensor& latents) const {
    auto tokens = in(latents.flatten(2).transpose(1, 2));
    for (const auto& block : blocks) tokens = block(tokens);
    return out(tokens).transpose(1, 2).reshape(latents.sizes());
  }
};

}  // namespace example
