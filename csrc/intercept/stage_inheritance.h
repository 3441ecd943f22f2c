// How a stage reaches the threads that work for it: autograd's backward threads and the inter-op threads of at::launch
// and torch.jit.fork. PyTorch hands its thread-local state down to these; the stage travels in it.
//
// Source: at::ThreadLocalState, which carries at::impl::ThreadLocalPythonObjects, a map by name. Not its
// ThreadLocalDebugInfo: that is a stack, and whoever else has pushed there would find ours when they pop.
// Threads: each for itself.
#pragma once

#include <atomic>
#include <cstdint>

namespace opcov {

/// False until a first stage is entered: until then nobody needs to look for one.
extern std::atomic<bool> g_stages_in_use;

/// What this thread starts from now on belongs to `stage`.
void hand_down_stage(std::uint32_t stage) noexcept;

/// The stage in which the work that this thread now does was started; 0 where there is none.
std::uint32_t inherited_stage() noexcept;

}  // namespace opcov
