// What a reader found wrong in its input. The reader collects, its caller decides: verify lists everything, report
// stops at an error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace opcov {

struct Finding {
  std::string file;
  std::size_t line;  // 0: the file as a whole
  std::string text;
};

/// "file:line: text".
std::string to_string(const Finding& finding);

struct Findings {
  std::vector<Finding> errors;    // break the format: what the file says cannot be relied on
  std::vector<Finding> damage;    // break the format too, but what they touch can be left out
  std::vector<Finding> warnings;  // the format allows for it, a user should know: a torn last line

  void append(const Findings& more);

  /// Throws Error (kBadInput) with the first error, and the number of the others, if there is any.
  void throw_errors() const;
};

}  // namespace opcov
