// The hooks in the dispatcher: placed once per process, never taken out. What a hook does is decided by its operator's
// role, which each recording sets anew.
//
// An operator registered later is hooked as it is defined (definition_hook.h). What cannot be done then waits for
// place_pending(), which the next call that is seen runs: the autograd hook of a composite, whose kernels come after
// its definition.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "intercept/fork_mutex.h"

namespace opcov {
struct HookedOp;
}

namespace opcov::hooks {

/// Places the hooks that this configuration needs and are not there yet, and sets every operator's role.
void use(const Config& config);

/// Operators wait to be hooked, or for their autograd hooks.
extern std::atomic<bool> g_pending;
void place_pending() noexcept;

/// Asked by an operator's autograd hook when kernels were registered since it was placed. False: the operator has
/// become another one, and its autograd hooks have been taken out.
bool still_composite(HookedOp& op);

/// Calls, outside other operators, of what linear and conv become where they cannot be seen.
struct LookAlike {
  std::string op;
  std::uint64_t calls;
};
std::vector<LookAlike> look_alikes();

/// Entries of OPCOV_OPS and OPCOV_TRANSPARENT that no operator of this process matches, each with its setting's name.
std::vector<std::string> unmatched_entries();

/// Starts the look-alikes' counts and saw() anew.
void forget_counts();

/// What was seen since, other than recorded calls: for telling a user whose recording stayed empty why.
enum Seen : unsigned { kOperators = 1, kOtherStage = 2, kOtherDevice = 4 };
extern std::atomic<unsigned> g_seen;
inline bool saw(Seen what) { return (g_seen.load(std::memory_order_relaxed) & what) != 0; }
inline void note(Seen what) {
  if (!saw(what)) g_seen.fetch_or(what, std::memory_order_relaxed);
}

/// In a child that was forked while another thread worked at the hooks: they stay, and pass every call on. What is
/// known of them may be half done, and locked for ever.
void give_up_in_child();

/// Held across a fork, in this order.
ForkMutex& mutex();
ForkMutex& queue_mutex();

}  // namespace opcov::hooks
