#include "intercept/kernels.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <memory>
#include <utility>

#include "intercept/blind_spots.h"
#include "intercept/definition_hook.h"
#include "intercept/describe.h"
#include "intercept/hooks.h"
#include "intercept/recorder.h"
#include "intercept/run_facts.h"
#include "intercept/session.h"
#include "intercept/thread_state.h"

namespace opcov {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::jit::Stack;

constexpr std::uint32_t kCudaBit = 1U << static_cast<std::uint8_t>(c10::DeviceType::CUDA);

enum class Treatment { kPass, kGuard, kRecord };

/// A dispatch that a Python mode would not see, whoever made it: see docs/design.md.
bool is_hidden(ThreadState& thread) {
  return c10::impl::tls_is_dispatch_key_excluded(DispatchKey::Python) || is_communication_thread(thread) ||
         in_parallel_region();
}

/// Tensors on which a composite operator does not come by whole: in grad mode it ends at an autograd key that is not
/// hooked.
bool is_taken_apart(DispatchKeySet keys) {
  using c10::BackendComponent;
  constexpr auto bit = [](BackendComponent backend) { return 1ULL << (static_cast<unsigned>(backend) - 1); };
  constexpr auto kPlain =
      bit(BackendComponent::CPUBit) | bit(BackendComponent::CUDABit) | bit(BackendComponent::MetaBit);
  constexpr DispatchKeySet kOther = DispatchKeySet(DispatchKeySet::RAW, c10::full_backend_mask & ~kPlain) |
                                    DispatchKeySet({DispatchKey::NestedTensor, DispatchKey::MkldnnCPU});
  return !(keys & kOther).empty() && !c10::InferenceMode::is_enabled();
}

Treatment treatment_of(HookedOp& op, DispatchKeySet keys, const Stack& stack, ThreadState& thread) {
  const Role role = op.role.load(std::memory_order_acquire);
  if (role == Role::kTransparent) return Treatment::kPass;
  const bool nested = g_nested.load(std::memory_order_relaxed);
  if (!nested && is_hidden(thread)) return Treatment::kPass;
  // The program's call is the one on the wrapper; its plain tensors come by here on their own.
  if (keys.has(DispatchKey::Functionalize)) return Treatment::kPass;
  hooks::note(hooks::kOperators);
  if (is_taken_apart(keys)) blind_spots::count(blind_spots::Kind::kOtherBackend);
  const bool selected =
      role == Role::kRecord || (role == Role::kRecordInStages && op.records_in(present_stage(thread)));
  if (!selected) {
    if (role == Role::kRecordInStages) hooks::note(hooks::kOtherStage);
    if (op.collective)
      if (Session* session = join_session(thread)) session->learn_rank();
    // Backward of a linear that was recorded makes mm of its own: nothing is hidden there.
    if (op.look_alike && !in_backward()) op.unrecorded_calls.fetch_add(1, std::memory_order_relaxed);
    return Treatment::kGuard;
  }
  if (keys.has_backend(c10::BackendComponent::MetaBit) || asks_for_meta(op, stack)) return Treatment::kGuard;
  return Treatment::kRecord;
}

/// Runs the operator inside a call that counts for itself.
template <class Run>
void guarded(ThreadState& thread, Run&& run) {
  const DepthGuard guard(thread);
  run();
}

template <class Run>
void recorded(HookedOp& op, Stack& stack, ThreadState& thread, Run&& run) {
  Session* session = join_session(thread);
  if (session == nullptr) return run();
  const std::uint64_t serial = session->serial();
  const std::uint32_t devices = session->devices();
  const bool guards = !op.transparent.load(std::memory_order_relaxed);
  const std::uint32_t stage = present_stage(thread);
  CallDescription call;
  const char* failure = nullptr;
  try {
    describe_arguments(op, stage, stack, call);
  } catch (...) {
    failure = "its arguments cannot be described";
  }
  if (call.wraps) {
    if (op.composite.load(std::memory_order_relaxed) && !c10::InferenceMode::is_enabled() && !is_tracing())
      blind_spots::count(blind_spots::Kind::kSubclass);
    return run();
  }
  try {
    if (guards)
      guarded(thread, run);
    else
      run();
  } catch (...) {
    // The host's exception goes on as it came.
    if (!call.is_fake)
      if (Session* same = joined_session(thread, serial)) same->raised(op.name);
    throw;
  }
  if (call.is_fake) return;
  try {
    if (failure == nullptr) describe_outputs(op, stack, call);
  } catch (...) {
    failure = "its output cannot be described";
  }
  if (call.wraps || call.is_fake) return;
  if (failure != nullptr) {
    if (Session* same = joined_session(thread, serial)) same->undescribed(op.name, failure);
    return;
  }
  if (devices != 0 && (call.devices & devices) == 0) return hooks::note(hooks::kOtherDevice);
  if ((call.devices & kCudaBit) != 0 && is_capturing_graph()) blind_spots::count(blind_spots::Kind::kGraphCapture);
  count_call(thread, serial, op, stage, call.key);
}

template <class Run>
void intercept(HookedOp& op, DispatchKeySet keys, Stack& stack, Run&& run) {
  ThreadState& thread = thread_state();
  const bool inside = thread.depth > 0 && !g_nested.load(std::memory_order_relaxed);
  if (inside || !is_active()) return run();
  if (hooks::g_pending.load(std::memory_order_relaxed)) hooks::place_pending();
  switch (treatment_of(op, keys, stack, thread)) {
    case Treatment::kPass: return run();
    case Treatment::kGuard: return guarded(thread, run);
    case Treatment::kRecord: return recorded(op, stack, thread, run);
  }
}

class BackendSelectKernel final : public c10::OperatorKernel {
 public:
  explicit BackendSelectKernel(HookedOp& op) : op_(op) {}
  void operator()(const c10::OperatorHandle& handle, DispatchKeySet keys, Stack* stack) {
    intercept(op_, keys, *stack, [&] {
      handle.redispatchBoxed(keys & DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::BackendSelect), stack);
    });
  }

 private:
  HookedOp& op_;
};

/// For a factory, whose own BackendSelect kernel finds the backend from its arguments.
class FactoryKernel final : public c10::OperatorKernel {
 public:
  FactoryKernel(HookedOp& op, c10::SafeKernelFunction own) : op_(op), own_(std::move(own)) {}
  void operator()(const c10::OperatorHandle& handle, DispatchKeySet keys, Stack* stack) {
    intercept(op_, keys, *stack, [&] { own_.callBoxed(handle, keys, stack); });
  }

 private:
  HookedOp& op_;
  c10::SafeKernelFunction own_;
};

/// Runs a composite operator as PyTorch would have: its kernel stands at the plain backend key too, and thread-local
/// state stays as it is, so that what it calls is differentiated as ever.
class CompositeAutogradKernel final : public c10::OperatorKernel {
 public:
  CompositeAutogradKernel(HookedOp& op, DispatchKey backend) : op_(op), backend_(backend) {}
  void operator()(const c10::OperatorHandle& handle, DispatchKeySet keys, Stack* stack) {
    // An author may give a composite operator kernels of its own later: what stands here then is no longer ours to run.
    if (registrations_of(handle) != op_.registrations.load(std::memory_order_acquire) && !hooks::still_composite(op_))
      return handle.redispatchBoxed(keys, stack);
    intercept(op_, keys, *stack, [&] { handle.redispatchBoxed(DispatchKeySet(backend_), stack); });
  }

 private:
  HookedOp& op_;
  DispatchKey backend_;
};

template <class Kernel, class... Args>
c10::KernelFunction make_kernel(Args&&... args) {
  return c10::KernelFunction::makeFromBoxedFunctor<Kernel>(std::make_unique<Kernel>(std::forward<Args>(args)...));
}

c10::RegistrationHandleRAII place(const HookedOp& op, DispatchKey key, const c10::KernelFunction& function) {
  // Another thread may be about to call the kernel when it is taken out: it is kept for good.
  new c10::KernelFunction(function);
  return c10::Dispatcher::singleton().registerImpl(op.handle.operator_name(), key, function, std::nullopt, nullptr,
                                                   "opcov recorder");
}

/// The handle would take the kernel out again.
void keep(c10::RegistrationHandleRAII handle) { new c10::RegistrationHandleRAII(std::move(handle)); }

}  // namespace

bool is_composite_at(const c10::OperatorHandle& op, DispatchKey autograd, DispatchKey backend) {
  return !op.hasKernelForDispatchKey(autograd) && has_composite_kernels_only(op, backend);
}

bool has_composite_kernels_only(const c10::OperatorHandle& op, DispatchKey backend) {
  return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) && !op.hasKernelForDispatchKey(backend) &&
         !op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd);
}

void place_backend_select_kernel(HookedOp& op) {
  constexpr DispatchKey kKey = DispatchKey::BackendSelect;
  if (op.handle.hasKernelForDispatchKey(kKey))
    keep(place(op, kKey, make_kernel<FactoryKernel>(op, op.handle.getComputedKernelForDispatchKey(kKey))));
  else
    keep(place(op, kKey, make_kernel<BackendSelectKernel>(op)));
}

void place_kernel_at_definition(HookedOp& op) {
  register_kernel_under_lock(op.handle, DispatchKey::BackendSelect, make_kernel<BackendSelectKernel>(op));
}

void place_autograd_kernels(HookedOp& op) {
  const std::pair<DispatchKey, DispatchKey> keys[] = {{DispatchKey::AutogradCPU, DispatchKey::CPU},
                                                      {DispatchKey::AutogradCUDA, DispatchKey::CUDA}};
  for (const auto& [autograd, backend] : keys)
    if (is_composite_at(op.handle, autograd, backend))
      op.autograd_hooks.push_back(place(op, autograd, make_kernel<CompositeAutogradKernel>(op, backend)));
  op.composite.store(!op.autograd_hooks.empty(), std::memory_order_relaxed);
  op.registrations.store(registrations_of(op.handle), std::memory_order_release);
}

}  // namespace opcov
