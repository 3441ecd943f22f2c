// The command line that profiles one call: ncu, its options, then opcov-replay on that call alone.
#pragma once

#include <string>
#include <vector>

#include "report/profile_targets.h"

namespace opcov {

struct NcuCommand {
  std::string ncu = "ncu";
  std::vector<std::string> options;  // the user's: an option of theirs takes the place of one of opcov's own
  std::string replay;                // path of opcov-replay
  std::vector<std::string> records;
  std::vector<std::string> libraries;  // for opcov-replay --load

  /// Throws Error (kBadInput) on an option that would send the result elsewhere, or start nothing.
  void check() const;

  /// `overwrite`: ncu may replace what is at `profile`.
  std::vector<std::string> line(const ProfileTarget& target, const std::string& profile, bool overwrite) const;
};

/// As it can be pasted into a shell.
std::string shell_text(const std::vector<std::string>& command);

}  // namespace opcov
