#include "cuda/device_names.h"

#include <cuda_runtime_api.h>

namespace opcov {

std::vector<std::string> device_names(const std::vector<int>& devices) {
  std::vector<std::string> names;
  for (const int device : devices) {
    cudaDeviceProp properties{};
    // The runtime is linked statically: an error kept in it is not the host's runtime's.
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) names.emplace_back(properties.name);
  }
  return names;
}

}  // namespace opcov
