// Work that no signature of its own stands for, counted as far as the recorder comes to see it: for the notices of the
// record. Threads: any. Counts are the process's since the recording began.
#pragma once

#include <vector>

#include "intercept/session.h"

namespace opcov::blind_spots {

enum class Kind {
  kSubclass,      // a selected composite operator on tensors that wrap others: recorded as what is made of it
  kOtherBackend,  // an operator in grad mode on tensors whose autograd key has no hook: composites are taken apart
  kGraphCapture,  // captured into a CUDA graph that nobody told of: its replays run it unseen
  kGraphReplay,   // of a CUDA graph, counted
};

void count(Kind kind) noexcept;

/// Of those kinds that were seen.
std::vector<RunNotice> notices();

void forget() noexcept;

}  // namespace opcov::blind_spots
