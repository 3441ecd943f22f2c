// The hooks in the dispatcher: placed once per process, never taken out. What a hook does is decided by its operator's
// role, which each recording sets anew.
//
// An operator registered later is hooked as it is defined (definition_hook.h). What cannot be done then waits for
// place_pending(), which the next call that is seen runs: the autograd hook of a composite, whose kernels come after
// its definition.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/settings.h"

namespace opcov::hooks {

/// Places the hooks that this configuration needs and are not there yet, and sets every operator's role.
void use(const Config& config);

/// Operators wait to be hooked, or for their autograd hooks.
extern std::atomic<bool> g_pending;
void place_pending() noexcept;

/// Calls, outside other operators, of what linear and conv become where they cannot be seen.
struct LookAlike {
  std::string op;
  std::uint64_t calls;
};
std::vector<LookAlike> look_alikes();

/// Entries of OPCOV_OPS that no operator of this process matches.
std::vector<std::string> unmatched_entries();

/// Starts the look-alikes' counts and saw_operators() anew.
void forget_counts();

/// Did any operator that is not selected run since?
bool saw_operators();
void note_operator();

/// Held across a fork.
std::mutex& mutex();

}  // namespace opcov::hooks
