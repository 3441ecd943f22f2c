// Runs a program as a child and hands it the signals that this process is sent meanwhile.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace opcov {

struct ChildEnd {
  int status = 0;  // its exit status, or 128 plus the number of the signal that ended it
  int signal = 0;  // the last of those that this process was sent meanwhile and the child was to get; 0: none
};

/// Runs `command` with `environment` added to this process's own; waits for its end. Throws Error: kBadInput where the
/// program cannot be started, kFailure where no process can be made. One call at a time, from a process with one
/// thread.
ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace opcov
