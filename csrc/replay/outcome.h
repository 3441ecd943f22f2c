// What came of a call's replay, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "format/canonical_json.h"
#include "replay/replayed_call.h"

namespace opcov {

struct Outcome {
  enum class Status {
    kReplayed,  // and it was the recorded call again
    kDiffers,   // what was called, or what came out, is of another structure
    kRefused,   // its inputs cannot be made, its snapshot cannot be read, or its operator is not there
    kRaised,    // the operator did
  };
  Status status = Status::kReplayed;
  std::string digest;  // empty where a snapshot cannot be read
  std::string op;
  std::string stage;
  std::string snapshot;         // its path; empty where all inputs were made
  std::string device;           // "cpu", "cuda"
  std::string reason;           // in words, where it was not replayed
  std::vector<double> seconds;  // of each measured run

  /// What the process ends with for this call.
  ExitCode exit_code() const;
};

/// One line, without a newline.
std::string outcome_text(const Outcome& outcome);
OrderedJson outcome_json(const Outcome& outcome);

/// "31 calls: 30 replayed, 1 differs".
std::string summary_text(const std::vector<Outcome>& outcomes);
OrderedJson summary_json(const std::vector<Outcome>& outcomes);

}  // namespace opcov
