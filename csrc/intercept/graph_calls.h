// Calls that were captured into CUDA graphs: a capture executes nothing, and each replay of the graph runs what was
// captured. So a captured call counts as captured alone, and each replay that is seen adds one call for each that was
// captured into the graph.
//
// The recorder sees that a call is captured, by its stream; which graph that is, and when it is replayed, it is told
// (python_shim/opcov/_graphs.py) or never learns. What a graph holds outlives the recording that saw its capture.
//
// Threads: any. Errors: nothing throws; what cannot be kept for lack of memory is not counted.
#pragma once

#include <cstdint>

#include "intercept/call_key.h"
#include "intercept/fork_mutex.h"
#include "intercept/hooked_op.h"
#include "intercept/thread_state.h"

namespace opcov {

class Session;

namespace graph_calls {

/// How a captured call is told from another. Tests put a question of their own in its place, for they have no GPU.
struct Question {
  std::uint32_t devices;  // bit i: asked of calls with a tensor on device type i
  bool (*is_capturing)() noexcept;
};
extern Question g_question;

inline bool is_captured(std::uint32_t devices) {
  return (devices & g_question.devices) != 0 && g_question.is_capturing();
}

/// A call that was captured, and not executed.
void add(Session& session, const HookedOp& op, std::uint32_t stage, const KeyView& key) noexcept;

/// This thread begins and ends to capture into a graph, by whatever number.
void begin(std::uint64_t graph) noexcept;
void end(std::uint64_t graph) noexcept;

/// The graph ran.
void replayed(std::uint64_t graph) noexcept;

/// There will be no more replays of it.
void forget(std::uint64_t graph) noexcept;

/// Held across a fork.
ForkMutex& mutex();

}  // namespace graph_calls
}  // namespace opcov
