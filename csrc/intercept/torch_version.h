// Where versions of torch differ in what opcov calls: the only file that asks which one it is built against
// (tests/layers holds that). docs/compatibility.md says which versions are built and tested.
//
// Threads and errors: as torch's functions, which are called here.
#pragma once

#include <ATen/Context.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <stdexcept>
#include <string>

namespace opcov {

enum class CudaOp { kMatmul, kConv };

/// As torch's Python interface names it: "ieee", "tf32", "none".
inline std::string float32_precision(CudaOp op);
inline void set_float32_precision(CudaOp op, const std::string& precision);

/// The cudaStream_t.
inline void* cuda_stream_handle(const c10::impl::DeviceGuardImplInterface& guard, const c10::Stream& stream);

#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 10

// Settings of precision have strings for names.
inline const char* float32_op(CudaOp op) { return op == CudaOp::kMatmul ? "matmul" : "conv"; }

inline std::string float32_precision(CudaOp op) { return at::globalContext().float32Precision("cuda", float32_op(op)); }

inline void set_float32_precision(CudaOp op, const std::string& precision) {
  at::globalContext().setFloat32Precision("cuda", float32_op(op), precision);
}

#else

inline at::Float32Op float32_op(CudaOp op) {
  return op == CudaOp::kMatmul ? at::Float32Op::MATMUL : at::Float32Op::CONV;
}

inline std::string float32_precision(CudaOp op) {
  return at::precision2str(at::globalContext().float32Precision(at::Float32Backend::CUDA, float32_op(op)));
}

inline void set_float32_precision(CudaOp op, const std::string& precision) {
  at::globalContext().setFloat32Precision(at::Float32Backend::CUDA, float32_op(op), at::str2precision(precision));
}

#endif

#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 11

// The device guard does not tell a stream's handle. c10::cuda::CUDAStream, which is made of a c10::Stream and nothing
// else, does, in a library that is loaded wherever there is such a stream and that opcov does not link.
inline void* cuda_stream_handle(const c10::impl::DeviceGuardImplInterface&, const c10::Stream& stream) {
  using HandleOf = void* (*)(const c10::Stream*);
  static const auto handle_of = [] {
    void* library = dlopen("libc10_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
    return library == nullptr ? nullptr
                              : reinterpret_cast<HandleOf>(dlsym(library, "_ZNK3c104cuda10CUDAStream6streamEv"));
  }();
  if (handle_of == nullptr) throw std::runtime_error("this torch does not tell the handle of a stream");
  return handle_of(&stream);
}

#else

inline void* cuda_stream_handle(const c10::impl::DeviceGuardImplInterface& guard, const c10::Stream& stream) {
  return guard.getStreamNativeHandle(stream);
}

#endif

}  // namespace opcov
