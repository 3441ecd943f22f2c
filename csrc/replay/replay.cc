#include "replay/replay.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <chrono>
#include <exception>
#include <utility>

#include "format/signature.h"
#include "intercept/boxed_call.h"
#include "intercept/call_key_json.h"
#include "intercept/nvtx_range.h"
#include "opcov/stage.h"
#include "replay/run_settings.h"
#include "replay/schema_arguments.h"
#include "replay/structure_difference.h"
#include "replay/tensor_maker.h"

namespace opcov {
namespace {

using Clock = std::chrono::steady_clock;

bool has_gpu() { return at::hasCUDA() && at::detail::getCUDAHooks().deviceCount() > 0; }

c10::Device device_for(const ReplayedCall& call, const std::string& asked) {
  if (asked == "cuda" && !has_gpu()) throw bad_input("--device cuda: torch finds no GPU here");
  const bool on_gpu = asked == "cuda" || (asked.empty() && uses_cuda(call.signature) && has_gpu());
  return on_gpu ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
}

/// What torch would warn a program of (deprecation, beta) was said where the call was recorded.
class Silent : public c10::WarningHandler {
 public:
  void process(const c10::Warning&) override {}
};

/// Runs of one call.
class Runs {
 public:
  Runs(const ReplayedCall& call, c10::Device device, const ReplayOptions& options)
      : call_(call),
        device_(device),
        options_(options),
        handle_(find_operator(call.op())),
        op_(handle_, 0, /*may_be_typed=*/false),
        tensors_(call, device, options.seed) {}

  /// The first one is held against the record, and says what differs.
  std::string run(std::vector<double>& seconds) {
    for (std::uint64_t i = 0; i < options_.warm_up + options_.repeat; ++i) {
      prepare();
      CallDescription description;
      if (i == 0) describe_arguments(op_, 0, stack_, description);
      const double taken = execute(/*measured=*/i >= options_.warm_up);
      if (i >= options_.warm_up) seconds.push_back(taken);
      if (i > 0) continue;
      describe_outputs(op_, stack_, description);
      std::string difference = compare(description);
      if (!difference.empty()) return difference;
    }
    return {};
  }

 private:
  /// Arguments that the operator writes to are made anew each time.
  void prepare() {
    if (arguments_.empty() || handle_.schema().is_mutable()) {
      stack_.clear();
      arguments_.clear();
      tensors_.begin();
      arguments_ = make_arguments(handle_, call_, tensors_);
    }
    stack_ = arguments_;
    at::manual_seed(options_.seed);
    synchronize();
  }

  double execute(bool measured) {
    const StageScope stage(call_.stage());
    const NvtxRange range(measured ? call_.stage() + "/" + call_.op() + "/" + call_.digest.substr(0, kShortDigest)
                                   : std::string("warm-up"));
    const Clock::time_point begin = Clock::now();
    handle_.callBoxed(stack_);
    synchronize();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void synchronize() const {
    if (device_.is_cuda()) c10::impl::getDeviceGuardImpl(device_.type())->synchronizeDevice(device_.index());
  }

  std::string compare(const CallDescription& description) const {
    const auto replayed = signature_json(description.key.data(), description.key.size(), call_.op(), call_.stage());
    // Bytes of a string that are no UTF-8 were replaced in the record too.
    const Json parsed = parse_strict(replayed.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    const bool own_values = !call_.snapshot.empty() && !call_.storages.empty();
    const Json seen = without_places(parsed);
    return structure_difference(signature_where_replayed(handle_, call_, tensors_, seen), seen,
                                own_values ? OutputNumbers::kEqual : OutputNumbers::kOfOneKind);
  }

  const ReplayedCall& call_;
  const c10::Device device_;
  const ReplayOptions& options_;
  const c10::OperatorHandle handle_;
  const HookedOp op_;
  TensorMaker tensors_;
  torch::jit::Stack arguments_;
  torch::jit::Stack stack_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Outcome replay(const ReplayedCall& call, const ReplayOptions& options) {
  const c10::Device device = device_for(call, options.device);
  Outcome outcome;
  outcome.digest = call.digest;
  outcome.op = call.op();
  outcome.stage = call.stage();
  outcome.snapshot = call.snapshot;
  outcome.device = c10::DeviceTypeName(device.type(), /*lower_case=*/true);
  const auto end_with = [&outcome](Outcome::Status status, const std::string& reason) {
    outcome.status = status;
    outcome.reason = reason;
    return outcome;
  };
  try {
    Silent silent;
    const c10::WarningUtils::WarningHandlerGuard quiet(&silent);
    apply_settings(call.header);
    const c10::InferenceMode mode;
    const std::string difference = Runs(call, device, options).run(outcome.seconds);
    return difference.empty() ? outcome : end_with(Outcome::Status::kDiffers, difference);
  } catch (const Error& error) {
    return end_with(error.code() == ExitCode::kBadInput ? Outcome::Status::kRefused : Outcome::Status::kRaised,
                    error.what());
  } catch (const c10::Error& error) {
    return end_with(Outcome::Status::kRaised, first_line(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return end_with(Outcome::Status::kRaised, first_line(error.what()));
  }
}

void load_operators(const std::string& library) {
  // A name without a slash would be looked for among the system's libraries.
  const std::string path = library.find('/') == std::string::npos ? "./" + library : library;
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) throw bad_input("--load " + library + ": " + dlerror());
}

}  // namespace opcov
