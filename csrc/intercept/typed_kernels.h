// Kernels that take an operator's arguments as C++ values, for the operators that dominate inference and those that a
// model calls most around them (typed_ops.inc). Putting arguments on the dispatcher's stack costs more than describing
// them; every other operator goes that way (boxed_call.h), with the same result.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace opcov {

struct HookedOp;

struct TypedKernels {
  c10::KernelFunction (*backend_select)(HookedOp& op);
  c10::KernelFunction (*composite)(HookedOp& op, c10::DispatchKey backend);
  c10::KernelFunction (*factory)(HookedOp& op);  // null where the operator is none
};

/// Of the operator with this schema; null where it has none.
const TypedKernels* typed_kernels(const c10::FunctionSchema& schema);

}  // namespace opcov
