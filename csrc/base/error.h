// The one exception type of the offline tool. It carries the exit code its failure ends the program with.
//
// A message names the file, the line where there is one, what is wrong, and what to do about it; it is shown to the
// user as it is.
#pragma once

#include <stdexcept>
#include <string>

namespace opcov {

enum class ExitCode : int {
  kDone = 0,
  kNo = 1,        // the answer is no: a file breaks the format, a gate failed
  kBadInput = 2,  // usage, or input that cannot be read or understood
  kFailure = 3,   // something failed at run time: a full disk, a system call
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

inline Error bad_input(const std::string& message) { return Error(ExitCode::kBadInput, message); }
inline Error failure(const std::string& message) { return Error(ExitCode::kFailure, message); }

}  // namespace opcov
