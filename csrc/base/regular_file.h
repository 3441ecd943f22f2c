// Opens what is to be read only where it is a regular file: a pipe would be waited for, a device may never end.
#pragma once

#include <string>

#include "base/error.h"

namespace opcov {

struct OpenedFile {
  int fd = -1;
  int error = 0;        // an errno value where fd is -1
  std::string problem;  // with the remedy, where fd is -1
};

/// The caller closes the descriptor.
OpenedFile open_regular_file(const std::string& path);

/// The same, and throws Error (kBadInput) where it cannot be opened.
int open_input(const std::string& path);

/// What is thrown where a file cannot be read, by errno.
Error cannot_read(const std::string& path);

}  // namespace opcov
