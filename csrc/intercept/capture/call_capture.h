// What capture.h does beside one call that is recorded.
//
// Threads: the call's. Errors: nothing throws; what cannot be had is not captured.
#pragma once

#include <cstddef>
#include <cstdint>

#include "intercept/describe.h"
#include "intercept/hooked_op.h"
#include "intercept/session.h"
#include "intercept/thread_state.h"

namespace opcov::call_capture {

/// Copies the inputs of a call that is described as far as its arguments go, where they are wanted. True: end() has to
/// follow.
bool begin(ThreadState& thread, const HookedOp& op, std::uint32_t stage, const CallDescription& call) noexcept;

/// A call that began so and is not recorded, or raised an exception.
void drop(ThreadState& thread) noexcept;

/// A recorded call; `arguments`: words of its key that describe them; `began`: what begin() said; `is_new`: to the
/// thread.
void end(ThreadState& thread, const HookedOp& op, std::uint32_t stage, const CallKey& key, std::size_t arguments,
         bool began, bool is_new, Session& session) noexcept;

}  // namespace opcov::call_capture
