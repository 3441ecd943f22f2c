// Makes the tensors of a call: of the bytes in a snapshot, or of values that are made up (made_values.h). Dtype, shape,
// stride, shared memory, and with a snapshot also offset, conjugate and negative bits are those of the call.
//
// Threads: one object belongs to one thread. Errors: throws Error (kBadInput) with the reason where a tensor cannot be
// made.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>

#include "replay/made_values.h"
#include "replay/replayed_call.h"

namespace opcov {

class TensorMaker {
 public:
  /// `device`: where the call is replayed. A call recorded on a GPU keeps those of its tensors on the CPU that were
  /// there; every tensor of any other call is on the device.
  TensorMaker(const ReplayedCall& call, c10::Device device, std::uint64_t seed);

  /// From now on tensors have memory of their own again, with the same values.
  void begin();

  bool has_values(const Json& tensor) const { return tensor.contains("place"); }
  at::Tensor read(const Json& tensor);
  at::Tensor make(const Json& tensor, const MadeValues& values);

  /// Where a device argument of this type leads.
  c10::Device device_of(const std::string& type) const;

 private:
  at::Tensor storage(const std::string& key, c10::Device device);

  const ReplayedCall& call_;
  const c10::Device device_;
  const std::uint64_t seed_;
  const bool uses_cuda_;
  std::uint64_t made_ = 0;
  std::map<std::string, at::Tensor> in_file_;   // storages as bytes on the CPU, by key
  std::map<std::string, at::Tensor> storages_;  // on their devices
};

/// By the name that Python prints. Throws Error (kBadInput) where torch has no such dtype.
c10::ScalarType dtype_of(const std::string& name);

}  // namespace opcov
