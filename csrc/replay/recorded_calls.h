// The distinct signatures of record files, each as it was first recorded: with devices, and with its file's header.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "replay/replayed_call.h"

namespace opcov {

class RecordedCalls {
 public:
  /// Throws Error (kBadInput) where a file breaks the format.
  explicit RecordedCalls(const std::vector<std::string>& files);

  /// In the order in which they were recorded.
  const std::vector<ReplayedCall>& all() const { return calls_; }

  /// The first one that is all a snapshot states, which may leave out output and stage: a signature without devices,
  /// and the digest of that. nullptr where no record has it.
  const ReplayedCall* stated_by(const Json& signature, const std::string& digest);

  /// The one signature whose digest begins so. Throws Error (kBadInput) where there is none, or several.
  const ReplayedCall& beginning_with(const std::string& prefix) const;

 private:
  void read(const std::string& file);
  const std::map<std::string, std::size_t>& without(const std::vector<std::string>& keys);

  std::vector<ReplayedCall> calls_;
  std::map<std::string, std::size_t> by_digest_;
  // By the keys that are left out, then by the digest of the rest; made when the first snapshot leaves them out.
  std::map<std::vector<std::string>, std::map<std::string, std::size_t>> by_rest_;
};

}  // namespace opcov
