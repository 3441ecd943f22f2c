#include "intercept/capture/device_copy.h"

#include <ATen/Context.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "intercept/capture/capture_ledger.h"
#include "intercept/torch_version.h"

namespace opcov {
namespace {

constexpr std::align_val_t kAlignment{64};

StartedCopy copy_on_host(const void* from, std::size_t bytes) {
  StartedCopy copy{host_memory(bytes), {}};
  std::memcpy(copy.to.get(), from, bytes);
  return copy;
}

std::shared_ptr<char> pinned_memory(std::size_t bytes) {
  auto owner = std::make_shared<c10::DataPtr>(
      at::globalContext().getPinnedMemoryAllocator(c10::DeviceType::CUDA)->allocate(bytes));
  return {owner, static_cast<char*>(owner->get())};
}

/// Of a stream, as it was when this was made.
class Event {
 public:
  explicit Event(const c10::Stream& stream)
      : device_(stream.device_index()), guard_(c10::impl::getDeviceGuardImpl(stream.device_type())) {
    guard_->record(&event_, stream, device_, c10::EventFlag::PYTORCH_DEFAULT);
  }
  ~Event() { guard_->destroyEvent(event_, device_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void wait() const { guard_->synchronizeEvent(event_); }

 private:
  const c10::DeviceIndex device_;
  const c10::impl::DeviceGuardImplInterface* const guard_;
  void* event_ = nullptr;
};

StartedCopy copy_from_cuda(c10::Device device, const void* from, std::size_t bytes) {
  using CopyAsync = int (*)(void* to, const void* from, std::size_t bytes, int kind, void* stream);
  constexpr int kDeviceToHost = 2;
  static const auto copy_async = reinterpret_cast<CopyAsync>(dlsym(RTLD_DEFAULT, "cudaMemcpyAsync"));
  if (copy_async == nullptr) throw NotCaptured("the CUDA runtime that torch has loaded cannot be called", true);
  const auto* guard = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA);
  const c10::Stream stream = guard->getStream(device);
  StartedCopy copy{pinned_memory(bytes), {}};
  const int error = copy_async(copy.to.get(), from, bytes, kDeviceToHost, cuda_stream_handle(*guard, stream));
  if (error != 0) throw NotCaptured("CUDA cannot copy it: error " + std::to_string(error), true);
  copy.wait = [event = std::make_shared<Event>(stream)] { event->wait(); };
  return copy;
}

}  // namespace

std::shared_ptr<char> host_memory(std::size_t bytes) {
  return {static_cast<char*>(::operator new(bytes, kAlignment)),
          [](char* memory) { ::operator delete(memory, kAlignment); }};
}

StartedCopy start_copy(c10::Device device, const void* from, std::size_t bytes) {
  switch (device.type()) {
    case c10::DeviceType::CPU: return copy_on_host(from, bytes);
    case c10::DeviceType::CUDA: return copy_from_cuda(device, from, bytes);
    default: throw NotCaptured("a tensor on the device " + device.str(), true);
  }
}

}  // namespace opcov
