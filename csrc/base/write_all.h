// Writes the whole of a text to an open file.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace opcov {

/// How many bytes were written: all, or as many as there were before a write failed, of which errno tells.
/// Threads: any. Errors: none thrown.
inline std::size_t write_all(int fd, std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t more = write(fd, bytes.data() + written, bytes.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;  // after a short write, too: the next one says why
    written += static_cast<std::size_t>(more);
  }
  return written;
}

}  // namespace opcov
