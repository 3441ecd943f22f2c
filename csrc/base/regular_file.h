// Opens what is to be read only where it is a regular file: a pipe would be waited for, a device may never end.
#pragma once

#include <string>

namespace opcov {

struct OpenedFile {
  int fd = -1;
  int error = 0;        // an errno value where fd is -1
  std::string problem;  // with the remedy, where fd is -1
};

/// The caller closes the descriptor.
OpenedFile open_regular_file(const std::string& path);

}  // namespace opcov
