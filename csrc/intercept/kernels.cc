#include "intercept/kernels.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <utility>

#include "intercept/boxed_call.h"
#include "intercept/definition_hook.h"
#include "intercept/hooks.h"
#include "intercept/interception.h"
#include "intercept/typed_kernels.h"

namespace opcov {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::jit::Stack;

template <class Run>
void intercept_boxed(HookedOp& op, DispatchKeySet keys, Stack& stack, const Run& run) {
  intercept(op, keys, /*is_typed=*/false, run,
            [&](ThreadState& thread) { record(op, BoxedCall(op, stack, run), thread); });
}

class BackendSelectKernel final : public c10::OperatorKernel {
 public:
  explicit BackendSelectKernel(HookedOp& op) : op_(op) {}
  void operator()(const c10::OperatorHandle& handle, DispatchKeySet keys, Stack* stack) {
    intercept_boxed(op_, keys, *stack, [&] { handle.redispatchBoxed(keys & kBelowBackendSelect, stack); });
  }

 private:
  HookedOp& op_;
};

/// For a factory, whose own BackendSelect kernel finds the backend from its arguments.
class FactoryKernel final : public c10::OperatorKernel {
 public:
  FactoryKernel(HookedOp& op, c10::SafeKernelFunction own) : op_(op), own_(std::move(own)) {}
  void operator()(const c10::OperatorHandle& handle, DispatchKeySet keys, Stack* stack) {
    intercept_boxed(op_, keys, *stack, [&] { own_.callBoxed(handle, keys, stack); });
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
    if (!stays_composite(op_)) return handle.redispatchBoxed(keys, stack);
    intercept_boxed(op_, keys, *stack, [&] { handle.redispatchBoxed(DispatchKeySet(backend_), stack); });
  }

 private:
  HookedOp& op_;
  DispatchKey backend_;
};

template <class Kernel, class... Args>
c10::KernelFunction boxed_kernel(Args&&... args) {
  return c10::KernelFunction::makeFromBoxedFunctor<Kernel>(std::make_unique<Kernel>(std::forward<Args>(args)...));
}

c10::KernelFunction backend_select_kernel(HookedOp& op) {
  if (op.typed != nullptr) return op.typed->backend_select(op);
  return boxed_kernel<BackendSelectKernel>(op);
}

c10::KernelFunction factory_kernel(HookedOp& op) {
  auto own = op.handle.getComputedKernelForDispatchKey(DispatchKey::BackendSelect);
  // Only torch's own kernel is known to do no more than look for the backend.
  const bool is_torchs = own.debug().find("RegisterBackendSelect") != std::string::npos;
  if (op.typed != nullptr && op.typed->factory != nullptr && is_torchs) return op.typed->factory(op);
  return boxed_kernel<FactoryKernel>(op, std::move(own));
}

c10::KernelFunction composite_kernel(HookedOp& op, DispatchKey backend) {
  if (op.typed != nullptr) return op.typed->composite(op, backend);
  return boxed_kernel<CompositeAutogradKernel>(op, backend);
}

c10::RegistrationHandleRAII place(HookedOp& op, DispatchKey key, const c10::KernelFunction& function) {
  op.kernels.push_back(function);
  return c10::Dispatcher::singleton().registerImpl(op.handle.operator_name(), key, function, std::nullopt, nullptr,
                                                   "opcov recorder");
}

}  // namespace

bool stays_composite(HookedOp& op) {
  return registrations_of(op.handle) == op.registrations.load(std::memory_order_acquire) || hooks::still_composite(op);
}

bool is_composite_at(const c10::OperatorHandle& op, DispatchKey autograd, DispatchKey backend) {
  return !op.hasKernelForDispatchKey(autograd) && has_composite_kernels_only(op, backend);
}

bool has_composite_kernels_only(const c10::OperatorHandle& op, DispatchKey backend) {
  return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) && !op.hasKernelForDispatchKey(backend) &&
         !op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd);
}

void place_backend_select_kernel(HookedOp& op) {
  constexpr DispatchKey kKey = DispatchKey::BackendSelect;
  op.backend_select_hook =
      place(op, kKey, op.handle.hasKernelForDispatchKey(kKey) ? factory_kernel(op) : backend_select_kernel(op));
}

void place_kernel_at_definition(HookedOp& op) {
  register_kernel_under_lock(op.handle, DispatchKey::BackendSelect, backend_select_kernel(op));
}

void place_autograd_kernels(HookedOp& op) {
  const std::pair<DispatchKey, DispatchKey> keys[] = {{DispatchKey::AutogradCPU, DispatchKey::CPU},
                                                      {DispatchKey::AutogradCUDA, DispatchKey::CUDA}};
  for (const auto& [autograd, backend] : keys)
    if (is_composite_at(op.handle, autograd, backend))
      op.autograd_hooks.push_back(place(op, autograd, composite_kernel(op, backend)));
  op.composite.store(!op.autograd_hooks.empty(), std::memory_order_relaxed);
  op.registrations.store(registrations_of(op.handle), std::memory_order_release);
}

}  // namespace opcov
