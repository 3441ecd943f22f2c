// Opens the files that a recorded process writes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace opcov {

/// An open file under another number than a standard stream's: where a program was started with one closed, open()
/// gives its number out, and what the program then prints would stand in our file.
/// Threads: any. Errors: -1, errno says why, and the file is closed.
inline int past_standard_streams(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  errno = error;
  return moved;
}

/// Makes a file that is not there yet and opens it.
/// Threads: any. Errors: -1, and errno says why.
inline int open_new_file(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const int moved = past_standard_streams(fd);
  if (fd >= 0 && moved < 0) {
    const int error = errno;
    unlink(path.c_str());
    errno = error;
  }
  return moved;
}

}  // namespace opcov
