// Copies memory of a device into host memory while the program goes on. The seam behind which what is known of CUDA
// stands; through torch's own functions and the CUDA runtime that torch has loaded, so that nothing here is linked with
// CUDA.
//
// Threads: any. Errors: throws NotCaptured.
#pragma once

#include <c10/core/Device.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace opcov {

struct StartedCopy {
  std::shared_ptr<char> to;
  std::function<void()> wait;  // until it is done; empty where it is. To be called on another thread; throws
};

/// On the device's present stream: what runs on it afterwards may write to the memory.
StartedCopy start_copy(c10::Device device, const void* from, std::size_t bytes);

std::shared_ptr<char> host_memory(std::size_t bytes);

}  // namespace opcov
