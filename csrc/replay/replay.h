// Makes a recorded call again, alone. Free of torch's headers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/outcome.h"
#include "replay/replayed_call.h"

namespace opcov {

struct ReplayOptions {
  std::string device;  // "cpu", "cuda"; empty: as the call was recorded, as far as there is a GPU
  std::uint64_t warm_up = 1;
  std::uint64_t repeat = 1;
  std::uint64_t seed = 0;
};

/// Nothing is thrown but what ends all replays: Error (kBadInput) where "cuda" is asked for and there is none.
Outcome replay(const ReplayedCall& call, const ReplayOptions& options);

/// Loads a library that registers operators. Throws Error (kBadInput).
void load_operators(const std::string& library);

}  // namespace opcov
