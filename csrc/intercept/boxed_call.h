// A call on the dispatcher's stack, as interception.h takes calls: described before it runs, run, its output described.
//
// Threads: each call on its own. Errors: what cannot be described throws.
#pragma once

#include <ATen/core/stack.h>

#include "intercept/describe.h"
#include "intercept/hooked_op.h"

namespace opcov {

/// Everything before the output. The arguments are the top of the stack, as the dispatcher passes them.
void describe_arguments(const HookedOp& op, std::uint32_t stage, const torch::jit::Stack& stack, CallDescription& call);

/// The outputs, which are the top of the stack after the call.
void describe_outputs(const HookedOp& op, const torch::jit::Stack& stack, CallDescription& call);

/// True where an argument says that a factory's result lives on the meta device.
bool asks_for_meta(const HookedOp& op, const torch::jit::Stack& stack) noexcept;

template <class Run>
class BoxedCall {
 public:
  using Result = void;

  BoxedCall(const HookedOp& op, torch::jit::Stack& stack, const Run& run) : op_(op), stack_(stack), run_(run) {}

  void run() const { run_(); }
  bool asks_for_meta() const noexcept { return opcov::asks_for_meta(op_, stack_); }
  void describe_arguments(std::uint32_t stage, CallDescription& call) const {
    opcov::describe_arguments(op_, stage, stack_, call);
  }
  void describe_outputs(CallDescription& call) const { opcov::describe_outputs(op_, stack_, call); }

 private:
  const HookedOp& op_;
  torch::jit::Stack& stack_;
  const Run& run_;
};

}  // namespace opcov
