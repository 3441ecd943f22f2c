// Describes a call on the dispatcher's stack as a call key (call_key.h), without dispatching anything, without
// calling Python, and without keeping a tensor alive.
//
// Threads: any; no state of its own. Errors: an argument that cannot be described throws, which the caller counts as
// an unrecorded call.
#pragma once

#include <ATen/core/stack.h>
#include <c10/util/SmallVector.h>

#include "intercept/call_key.h"
#include "intercept/hooked_op.h"

namespace opcov {

struct CallDescription {
  CallKey key;
  c10::SmallVector<const c10::TensorImpl*, 16> inputs;  // addresses to compare, not to follow
  std::uint32_t devices = 0;                            // bit i: a tensor on device type i
  bool wraps = false;    // an argument is a wrapper whose plain tensors will come by on their own
  bool is_fake = false;  // on the meta device: no real call
};

/// Everything before the output. The arguments are the top of the stack, as the dispatcher passes them.
void describe_arguments(const HookedOp& op, std::uint32_t stage, const torch::jit::Stack& stack, CallDescription& call);

/// The outputs, which are the top of the stack after the call.
void describe_outputs(const HookedOp& op, const torch::jit::Stack& stack, CallDescription& call);

/// True where an argument says that a factory's result lives on the meta device.
bool asks_for_meta(const HookedOp& op, const torch::jit::Stack& stack) noexcept;

}  // namespace opcov
