#include "replay/fill_tensor.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "base/error.h"
#include "intercept/capture/random_values.h"

#ifdef OPCOV_WITH_CUDA
#include "cuda/fill.h"
#endif

namespace opcov {
namespace {

// Of the memory as a whole: what elements share has one value, whatever their strides.
void fill_memory(const at::Tensor& tensor, ValueRange range, std::uint64_t seed) {
  const c10::Storage& storage = tensor.storage();
  const std::size_t bytes = storage.nbytes();
  if (bytes == 0) return;
  auto* memory = static_cast<char*>(storage.mutable_data());
  if (tensor.is_cpu()) return fill_with_random_values(tensor.scalar_type(), range, seed, memory, bytes);
#ifdef OPCOV_WITH_CUDA
  const auto* device = c10::impl::getDeviceGuardImpl(tensor.device().type());
  const c10::Stream stream = device->getStream(tensor.device());
  if (const char* error =
          fill_on_device(tensor.scalar_type(), range, seed, memory, bytes, device->getStreamNativeHandle(stream)))
    throw failure(std::string("cannot fill a tensor on the GPU: ") + error);
#else
  // Built without the kernels: made here and copied.
  const at::Tensor host = at::empty({static_cast<std::int64_t>(bytes)}, at::kByte);
  fill_with_random_values(tensor.scalar_type(), range, seed, static_cast<char*>(host.mutable_data_ptr()), bytes);
  at::Tensor target = at::empty({0}, host.options().device(tensor.device()));
  target.set_(storage, 0, host.sizes(), host.strides());
  target.copy_(host);
#endif
}

// What has no memory of its own is written once.
void assign(at::Tensor target, at::Tensor values) {
  for (std::int64_t dim = 0; dim < target.dim(); ++dim)
    if (target.stride(dim) == 0 && target.size(dim) > 1) {
      target = target.narrow(dim, 0, 1);
      values = values.narrow(dim, 0, 1);
    }
  target.copy_(values);
}

at::Tensor by_place(const at::Tensor& tensor, const MadeValues& values) {
  at::Tensor made = at::empty(tensor.sizes(), at::kDouble);
  auto* numbers = static_cast<double*>(made.mutable_data_ptr());
  // Which places there are, and how many elements lie between one and the next.
  const bool along = values.dim.has_value() && tensor.dim() > 0;
  const std::int64_t places = along ? tensor.size(*values.dim) : tensor.numel();
  const std::int64_t step = along ? made.stride(*values.dim) : 1;
  for (std::int64_t i = 0; i < made.numel(); ++i) numbers[i] = static_cast<double>(values.by_place(i / step % places));
  return made;
}

at::Tensor positive_definite(const at::Tensor& tensor, std::uint64_t seed) {
  at::Tensor random = at::empty(tensor.sizes(), tensor.is_complex() ? at::kComplexDouble : at::kDouble);
  fill_memory(random, {}, seed);
  return at::matmul(random, random.mH()) + at::eye(tensor.size(-1), random.scalar_type());
}

}  // namespace

void fill_tensor(const at::Tensor& tensor, const MadeValues& values, std::uint64_t seed) {
  fill_memory(tensor, {values.low, values.high}, seed);
  if (tensor.numel() == 0) return;
  if (values.by_place)
    assign(tensor, by_place(tensor, values));
  else if (values.positive_definite && tensor.dim() >= 2)
    assign(tensor, positive_definite(tensor, seed));
}

}  // namespace opcov
