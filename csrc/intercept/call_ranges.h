// A thread's part in OPCOV_NVTX=1: the NVTX range in which each recorded call stands, {stage}/{op}/{short digest}.
//
// The digest is that of the whole signature, output included, which is known only after the call: the first call with
// its arguments on a thread stands in {stage}/{op}, and what it taught names the range of those after it.
//
// Threads: the call's. Errors: nothing throws; out of memory a range has the short name.
#pragma once

#include <cstdint>
#include <string>

#include "intercept/key_table.h"

namespace opcov {

class CallRanges {
 public:
  /// False: the call has no digest yet, and learn() is to follow.
  bool open(const KeyView& arguments, const std::string& op, std::uint32_t stage) noexcept;

  /// What a recorded call with these arguments turned out to be.
  void learn(const KeyView& arguments, const KeyView& call, const std::string& op, std::uint32_t stage) noexcept;

 private:
  KeyTable<std::string> names_;  // by arguments
};

}  // namespace opcov
