#include "intercept/boxed_call.h"

#include <stdexcept>

namespace opcov {
namespace {

c10::ArrayRef<c10::IValue> top_of(const torch::jit::Stack& stack, std::size_t n) {
  if (stack.size() < n) throw std::logic_error("opcov: fewer values on the stack than the schema has");
  return c10::ArrayRef<c10::IValue>(stack).slice(stack.size() - n, n);
}

}  // namespace

void describe_arguments(const HookedOp& op, std::uint32_t stage, const torch::jit::Stack& stack,
                        CallDescription& call) {
  const auto values = top_of(stack, op.args.size());
  std::size_t positional = op.first_kwarg;
  while (positional > 0 && is_default(op.args[positional - 1], values[positional - 1])) --positional;
  c10::SmallVector<std::size_t, 8> kwargs;
  for (std::size_t i = op.first_kwarg; i < op.args.size(); ++i)
    if (!is_default(op.args[i], values[i])) kwargs.push_back(i);

  call.key.begin(op.index, stage);
  call.key.arity(positional, kwargs.size());
  for (std::size_t i = 0; i < positional; ++i) append_value(values[i], op.args[i].kind, call);
  for (const std::size_t i : kwargs) {
    call.key.name_word(op.args[i].name);
    append_value(values[i], op.args[i].kind, call);
  }
}

void describe_outputs(const HookedOp& op, const torch::jit::Stack& stack, CallDescription& call) {
  ReturnedInputs returned(call);
  const std::size_t n = op.output_kinds.size();
  const auto values = top_of(stack, n);
  if (n == 0) call.key.none();
  if (n > 1) call.key.list(n);
  for (std::size_t i = 0; i < n; ++i) {
    append_value(values[i], op.output_kinds[i], call);
    returned.look_at_output(op.output_written[i]);
  }
  returned.conclude();
}

bool asks_for_meta(const HookedOp& op, const torch::jit::Stack& stack) noexcept {
  if (stack.size() < op.args.size()) return false;
  for (const c10::IValue& value : top_of(stack, op.args.size()))
    if (value.isDevice() && value.toDevice().is_meta()) return true;
  return false;
}

}  // namespace opcov
