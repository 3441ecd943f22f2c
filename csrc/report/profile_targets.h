// Which calls are to be profiled, and from what their inputs come: a snapshot where one of their structure is given,
// else inputs that opcov-replay makes of the recorded signature.
//
// Errors: throws Error (kBadInput) where a name leads to nothing, or to several signatures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "format/signature.h"

namespace opcov {

struct ProfileTarget {
  Signature signature;
  std::uint64_t rank = 0;
  std::string snapshot;  // its path; empty: inputs are made
  std::string range;     // the NVTX range in which opcov-replay runs the call
  std::string refusal;   // why it cannot be profiled; empty where it can
};

struct ProfileTargets {
  std::vector<ProfileTarget> targets;
  std::vector<std::string> problems;  // a line for each snapshot that cannot be read, and so gives no inputs
  std::size_t returns_input = 0;      // of the report's uncovered signatures: no kernel ran, nothing can be profiled
};

struct ProfileRequest {
  std::vector<std::string> digests;  // the first digits of each
  std::string report;                // its uncovered signatures too; empty: none
  std::vector<std::string> records;
  std::vector<std::string> snapshots;
};

/// In the order in which they are asked for, each once.
ProfileTargets find_profile_targets(const ProfileRequest& request);

}  // namespace opcov
