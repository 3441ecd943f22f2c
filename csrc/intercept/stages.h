// Stages as small numbers, and the one that a thread is in. Number 0 is "no stage".
// Threads: any. A number is good for the life of the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "intercept/fork_mutex.h"

namespace opcov {

std::uint32_t stage_id(std::string_view name);
std::string stage_name(std::uint32_t id);

/// This thread enters a stage. Returns what leave_stage() wants to restore the one around it.
std::uint32_t enter_stage(std::uint32_t id) noexcept;
void leave_stage(std::uint32_t outer) noexcept;

/// In a child that was forked while another thread named a stage: what is known of stages may be half done.
void give_up_stages_in_child();

/// Held across a fork, so that the child does not inherit it locked.
ForkMutex& stage_mutex();

}  // namespace opcov
