#include "cuda/fill.h"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace opcov {
namespace {

constexpr int kThreads = 256;
constexpr std::uint64_t kMostBlocks = 1 << 16;

template <class T>
__global__ void fill(T* memory, std::uint64_t elements, std::uint64_t seed, ValueRange range) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += step)
    memory[i] = random_value<T>(seed, i, range);
}

}  // namespace

const char* fill_on_device(c10::ScalarType dtype, ValueRange range, std::uint64_t seed, void* memory, std::size_t bytes,
                           void* stream) {
  with_component_type(dtype, [&](auto component) {
    using T = decltype(component);
    const std::uint64_t elements = bytes / sizeof(T);
    if (elements == 0) return;
    const auto blocks = static_cast<unsigned>(std::min((elements + kThreads - 1) / kThreads, kMostBlocks));
    fill<T><<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(static_cast<T*>(memory), elements, seed, range);
  });
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace opcov
