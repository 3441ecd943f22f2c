// The arguments that a signature states, as the dispatcher takes them: by the operator's schema.
//
// Errors: throws Error (kBadInput) with the reason where the signature does not fit the schema, or something in it
// cannot be made.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "replay/replayed_call.h"
#include "replay/tensor_maker.h"

namespace opcov {

/// By the name that signatures have it by. Throws where no library that is loaded registers it.
c10::OperatorHandle find_operator(const std::string& name);

/// The call's signature as it reads where the tensors are made: with the devices that its arguments name there. A
/// snapshot's arguments stand where they do in `replayed`, what the recorder says of the call: whoever saved it by hand
/// may have written defaults out, or passed by keyword what has a position.
Json signature_where_replayed(const c10::OperatorHandle& op, const ReplayedCall& call, const TensorMaker& tensors,
                              const Json& replayed);

torch::jit::Stack make_arguments(const c10::OperatorHandle& op, const ReplayedCall& call, TensorMaker& tensors);

}  // namespace opcov
