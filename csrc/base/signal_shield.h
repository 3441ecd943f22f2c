// Writes that fail instead of ending the process.
#pragma once

#include <csignal>

namespace opcov {

/// While one lives, a write() of this thread into a pipe that nobody reads (SIGPIPE) or beyond a limit on file sizes
/// (SIGXFSZ) gives an error; by default either signal would end the program, for a file that is ours and not its own.
/// Threads: lives and ends on one. Errors: none; where the mask cannot be set nothing is shielded.
class SignalShield {
 public:
  SignalShield() noexcept;
  ~SignalShield();
  SignalShield(const SignalShield&) = delete;
  SignalShield& operator=(const SignalShield&) = delete;

 private:
  sigset_t outer_;
  sigset_t pending_before_;
};

}  // namespace opcov
