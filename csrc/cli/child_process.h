// Runs a program as a child and hands it the signals that this process is sent meanwhile.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace opcov {

/// Runs `command` with `environment` added to this process's own; waits for its end. Returns its exit status, or 128
/// plus the number of the signal that ended it. Throws Error: kBadInput where the program cannot be started, kFailure
/// where no process can be made. One call at a time, from a process with one thread.
int run_child(const std::vector<std::string>& command,
              const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace opcov
