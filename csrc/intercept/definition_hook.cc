#include "intercept/definition_hook.h"

#include <utility>

namespace opcov {
struct DefinitionHook;
}

template <>
class c10::TypedOperatorHandle<opcov::DefinitionHook> final {
 public:
  static void register_kernel(const OperatorHandle& op, DispatchKey key, KernelFunction kernel) {
    op.operatorDef_->op.registerKernel(Dispatcher::singleton(), key, std::move(kernel), std::nullopt, nullptr,
                                       "opcov recorder");
    // As registerImpl does: an operator with a kernel outlives its definition.
    ++op.operatorDef_->def_and_impl_count;
  }
  static std::size_t registrations(const OperatorHandle& op) {
    return __atomic_load_n(&op.operatorDef_->def_and_impl_count, __ATOMIC_RELAXED);
  }
};

namespace opcov {

void register_kernel_under_lock(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel) {
  c10::TypedOperatorHandle<DefinitionHook>::register_kernel(op, key, std::move(kernel));
}

std::size_t registrations_of(const c10::OperatorHandle& op) {
  return c10::TypedOperatorHandle<DefinitionHook>::registrations(op);
}

}  // namespace opcov
