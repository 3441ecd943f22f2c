#include "intercept/run_facts.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/distributed/c10d/GroupRegistry.hpp>

#include "intercept/torch_version.h"

#ifdef OPCOV_WITH_CUDA
#include "cuda/device_names.h"
#endif

namespace opcov {
namespace {

std::vector<std::string> gpu_names() {
#ifdef OPCOV_WITH_CUDA
  // Asking the driver would make a context where the program has none: only those in use are asked.
  if (!at::hasCUDA()) return {};
  const auto& cuda = at::detail::getCUDAHooks();
  std::vector<int> in_use;
  for (int device = 0; device < cuda.getNumGPUs(); ++device)
    if (cuda.hasPrimaryContext(static_cast<c10::DeviceIndex>(device))) in_use.push_back(device);
  return device_names(in_use);
#else
  return {};
#endif
}

}  // namespace

RunFacts run_facts() noexcept {
  RunFacts facts;
  try {
    facts.torch = TORCH_VERSION;
    const auto& context = at::globalContext();
    facts.flags = {{"cudnn_benchmark", context.benchmarkCuDNN()},
                   {"cudnn_deterministic", context.deterministicCuDNN()},
                   {"deterministic_algorithms", context.deterministicAlgorithms()},
                   {"deterministic_algorithms_warn_only", context.deterministicAlgorithmsWarnOnly()}};
    facts.settings = {{"cuda_matmul_float32_precision", float32_precision(CudaOp::kMatmul)},
                      {"cudnn_conv_float32_precision", float32_precision(CudaOp::kConv)}};
    facts.gpus = gpu_names();
  } catch (...) {
    return facts;  // what could be learned; a header with less is better than none
  }
  return facts;
}

std::optional<RankInfo> distributed_rank() noexcept try {
  // torch.distributed registers its default group under this name.
  const auto group = c10d::resolve_process_group("0");
  // Not the virtual ones: a group written in Python would take the interpreter's lock, and whoever holds that may wait
  // for a lock of ours.
  return RankInfo{group->c10d::ProcessGroup::getRank(), group->c10d::ProcessGroup::getSize()};
} catch (...) {
  return std::nullopt;  // not initialised
}

bool in_backward() { return torch::autograd::get_current_graph_task_id() != -1; }

bool is_capturing_graph() noexcept try {
  using IsCapturing = int (*)(void* stream, int* status);
  // Not the runtime that is linked statically here: what that does at its first call may not be allowed in a capture.
  static const auto ask = reinterpret_cast<IsCapturing>(dlsym(RTLD_DEFAULT, "cudaStreamIsCapturing"));
  if (ask == nullptr || !c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) return false;
  const auto* cuda = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA);
  int status = 0;
  return ask(cuda_stream_handle(*cuda, cuda->getStream(cuda->getDevice())), &status) == 0 && status != 0;
} catch (...) {
  return false;
}

bool is_tracing() {
  using c10::impl::TorchDispatchModeKey;
  using c10::impl::TorchDispatchModeTLS;
  for (const auto mode : {TorchDispatchModeKey::FAKE, TorchDispatchModeKey::PROXY, TorchDispatchModeKey::FUNCTIONAL})
    if (TorchDispatchModeTLS::get_mode(mode).has_value()) return true;
  return false;
}

bool in_parallel_region() { return at::in_parallel_region(); }

}  // namespace opcov
