// The boxed kernels that stand in the dispatcher for every hooked operator.
//
// Two places: BackendSelect, which sees what `__torch_dispatch__` sees, on every thread; and, for composite operators,
// the autograd keys of CPU and CUDA, where these end in grad and no_grad mode without ever reaching BackendSelect.
#pragma once

#include "intercept/hooked_op.h"

namespace opcov {

/// Register the kernels of one operator, for the life of the process. `op` must stay where it is. The autograd ones
/// are for composite operators, and need the operator's own kernels to be there already.
void place_backend_select_kernel(HookedOp& op);
void place_autograd_kernels(HookedOp& op);

/// Does place_backend_select_kernel() while an operator is being defined (definition_hook.h).
void place_kernel_at_definition(HookedOp& op);

/// Where a BackendSelect kernel hands its call on to.
inline constexpr c10::DispatchKeySet kBelowBackendSelect(c10::DispatchKeySet::FULL_AFTER,
                                                         c10::DispatchKey::BackendSelect);

/// To be asked by an autograd hook at each call. An author may give a composite operator kernels of its own later: what
/// stands there then is no longer ours to run.
bool stays_composite(HookedOp& op);

/// Is the kernel that the dispatcher computed for this autograd key the CompositeImplicitAutograd one? To be asked
/// before place_autograd_kernels(). (An Autograd alias kernel, which `linear` has for nested tensors, loses to it.)
bool is_composite_at(const c10::OperatorHandle& op, c10::DispatchKey autograd, c10::DispatchKey backend);

/// The same, where the autograd key's own kernel is known to be ours.
bool has_composite_kernels_only(const c10::OperatorHandle& op, c10::DispatchKey backend);

}  // namespace opcov
