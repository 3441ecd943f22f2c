// Names of stages as small numbers. Number 0 is "no stage".
// Threads: any. A number is good for the life of the process.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace opcov {

std::uint32_t stage_id(std::string_view name);
std::string stage_name(std::uint32_t id);

/// Held across a fork, so that the child does not inherit it locked.
std::mutex& stage_mutex();

}  // namespace opcov
