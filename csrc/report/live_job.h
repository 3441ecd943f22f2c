// A job that may still run, as its record files show it at one moment and then at the next.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/signature_pool.h"
#include "report/live_file.h"
#include "report/profiled_inputs.h"

namespace opcov {

/// Calls so far of one signature.
struct LiveCalls {
  std::map<std::uint64_t, std::uint64_t> by_rank;
  bool returns_input = true;  // on every call
};

struct LiveSample {
  std::chrono::steady_clock::time_point at;
  std::vector<LiveCalls> signatures;    // by the pool's index
  std::map<std::uint64_t, bool> ranks;  // have all files of the rank ended?
  std::size_t files = 0;
  std::size_t ended = 0;
  std::vector<std::string> problems;  // of files that cannot be read now
};

class LiveJob {
 public:
  /// Throws Error (kBadInput) where a name leads to nothing; a folder may still be empty. `inputs` must outlive this.
  LiveJob(std::vector<std::string> names, const ProfiledInputs& inputs);

  /// Looks at all files, new ones among them.
  LiveSample sample();

  const Signature& signature(SignaturePool::Index index) const { return pool_[index]; }
  bool covered(SignaturePool::Index index);
  bool compared() const { return !inputs_.files.empty(); }

 private:
  std::vector<std::string> paths() const;

  std::vector<std::string> names_;
  const ProfiledInputs& inputs_;
  SignaturePool pool_;
  std::map<std::string, LiveFile> files_;
  std::vector<std::optional<bool>> covered_;  // by the pool's index
};

}  // namespace opcov
