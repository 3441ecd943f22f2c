// A C++ inference program as opcov meets them: it denoises a latent video, decodes it, converts it to bytes, and
// prints a checksum. Its only lines about opcov are the stages'; switching recording on is left to OPCOV=1.
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "decoder.h"
#include "opcov/stage.h"
#include "transformer.h"

namespace {

constexpr int kDefaultSteps = 3;

/// FNV-1a over a contiguous byte tensor on the CPU.
uint64_t checksum(const at::Tensor& bytes) {
  uint64_t hash = 14695981039346656037ULL;
  const auto* data = bytes.const_data_ptr<uint8_t>();
  for (int64_t i = 0; i < bytes.numel(); ++i) hash = (hash ^ data[i]) * 1099511628211ULL;
  return hash;
}

at::Tensor denoise(const example::Transformer& transformer, at::Tensor latents, int steps) {
  const opcov::StageScope stage("dit");
  for (int step = 0; step < steps; ++step) latents = latents - transformer(latents) / steps;
  return latents;
}

at::Tensor decode(const example::Decoder& decoder, const at::Tensor& latents) {
  const opcov::StageScope stage("vae");
  return decoder(latents.to(at::kFloat));
}

at::Tensor to_bytes(const at::Tensor& video) {
  const opcov::StageScope stage("output");
  return ((video.clamp(-1, 1) + 1) * 127.5).to(at::kByte).to(at::kCPU).contiguous();
}

void run(int steps) {
  const c10::InferenceMode inference;
  at::manual_seed(0);
  const at::Device device(at::hasCUDA() ? at::kCUDA : at::kCPU);
  const auto bfloat16 = at::TensorOptions(device).dtype(at::kBFloat16);
  const auto float32 = at::TensorOptions(device).dtype(at::kFloat);
  const example::Transformer transformer(/*channels=*/8, /*width=*/64, /*depth=*/2, bfloat16);
  const example::Decoder decoder(/*channels=*/8, /*width=*/16, float32);

  const auto noise = at::randn({1, 8, 3, 8, 8}, bfloat16);
  const auto latents = denoise(transformer, noise, steps);
  const auto video = to_bytes(decode(decoder, latents));
  std::printf("device %s, %lld frames of %lldx%lld, checksum %016llx\n", device.str().c_str(),
              static_cast<long long>(video.size(2)), static_cast<long long>(video.size(4)),
              static_cast<long long>(video.size(3)), static_cast<unsigned long long>(checksum(video)));
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : kDefaultSteps;
  if (argc > 2 || steps < 1) {
    std::fprintf(stderr, "usage: %s [DENOISING_STEPS]   (a number from 1 on; default %d)\n", argv[0], kDefaultSteps);
    return 2;
  }
  try {
    run(steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 3;
  }
  return 0;
}
