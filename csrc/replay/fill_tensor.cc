#include "replay/fill_tensor.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "intercept/capture/random_values.h"

#ifdef OPCOV_WITH_CUDA
#include "cuda/fill.h"
#endif

namespace opcov {
namespace {

using Kind = MadeValues::Kind;

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

// The i-th of `elements` steps that lead to n in whole numbers.
double whole_step(std::int64_t i, std::int64_t elements, std::int64_t n) {
  return static_cast<double>((i + 1) * n / elements - i * n / elements);
}

double value_of(const MadeValues& values, std::int64_t i, const at::Tensor& tensor) {
  const std::int64_t elements = tensor.numel();
  switch (values.kind) {
    case Kind::kSpread:
      return std::floor(values.low +
                        static_cast<double>(i) * (values.high - values.low) / static_cast<double>(elements));
    case Kind::kCount:  // evenly among the others
    case Kind::kSum: return whole_step(i, elements, values.n);
    case Kind::kDistinct: return static_cast<double>(i % std::max<std::int64_t>(values.n, 1));
    case Kind::kPeak: return static_cast<double>((elements - 1 - i) == 0 ? values.n : i % (values.n + 1));
    case Kind::kPositions: return static_cast<double>(tensor.dim() == 0 ? 1 : i % tensor.size(-1) + 1);
    default: return 0;
  }
}

at::Tensor matrices(const at::Tensor& tensor, bool positive, std::uint64_t seed) {
  const auto dtype = tensor.is_complex() ? at::kComplexDouble : at::kDouble;
  at::Tensor random = at::empty(tensor.sizes(), dtype);
  fill_memory(random, {}, seed);
  const auto n = tensor.size(-1);
  if (positive) random = at::matmul(random, random.mH());
  return random + at::eye(n, dtype) * n;
}

at::Tensor values_of(const at::Tensor& tensor, const MadeValues& values) {
  at::Tensor made = at::empty(tensor.sizes(), at::kDouble);
  auto* numbers = static_cast<double*>(made.mutable_data_ptr());
  for (std::int64_t i = 0; i < made.numel(); ++i) numbers[i] = value_of(values, i, tensor);
  return made;
}

}  // namespace

void fill_tensor(const at::Tensor& tensor, const MadeValues& values, std::uint64_t seed) {
  const bool matrix = values.kind == Kind::kPositiveDefinite || values.kind == Kind::kNonsingular;
  if (values.kind == Kind::kRange || (matrix && tensor.dim() < 2))
    return fill_memory(tensor, {values.low, values.high}, seed);
  fill_memory(tensor, harmless_range(tensor.scalar_type()), seed);
  if (tensor.numel() == 0) return;
  assign(tensor, matrix ? matrices(tensor, values.kind == Kind::kPositiveDefinite, seed) : values_of(tensor, values));
}

}  // namespace opcov
