#include "replay/run_settings.h"

#include <ATen/Context.h>

#include <string>

#include "intercept/torch_version.h"

namespace opcov {
namespace {

bool flag(const Json& settings, const char* name, bool otherwise) {
  const Json value = settings.is_object() ? settings.value(name, Json()) : Json();
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

void set_precision(const Json& settings, const char* name, CudaOp op, const std::string& otherwise) {
  const Json value = settings.is_object() ? settings.value(name, Json()) : Json();
  set_float32_precision(op, value.is_string() ? value.get<std::string>() : otherwise);
}

struct Defaults {
  bool benchmark = at::globalContext().benchmarkCuDNN();
  bool deterministic_cudnn = at::globalContext().deterministicCuDNN();
  bool deterministic = at::globalContext().deterministicAlgorithms();
  bool deterministic_warn_only = at::globalContext().deterministicAlgorithmsWarnOnly();
  std::string matmul = float32_precision(CudaOp::kMatmul);
  std::string conv = float32_precision(CudaOp::kConv);
};

}  // namespace

void apply_settings(const Json& header) {
  static const Defaults defaults;
  const Json settings = header.is_object() ? header.value("environment", Json()) : Json();
  auto& context = at::globalContext();
  context.setBenchmarkCuDNN(flag(settings, "cudnn_benchmark", defaults.benchmark));
  context.setDeterministicCuDNN(flag(settings, "cudnn_deterministic", defaults.deterministic_cudnn));
  context.setDeterministicAlgorithms(
      flag(settings, "deterministic_algorithms", defaults.deterministic),
      flag(settings, "deterministic_algorithms_warn_only", defaults.deterministic_warn_only));
  set_precision(settings, "cuda_matmul_float32_precision", CudaOp::kMatmul, defaults.matmul);
  set_precision(settings, "cudnn_conv_float32_precision", CudaOp::kConv, defaults.conv);
}

}  // namespace opcov
