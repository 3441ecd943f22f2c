// Opens the files that a recorded process writes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace opcov {

/// Makes a file that is not there yet and opens it, by no number of a standard stream: where a program was started with
/// one closed, open() gives its number out, and what the program then prints would stand in our file.
/// Threads: any. Errors: -1, and errno says why.
inline int open_new_file(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  if (moved < 0) unlink(path.c_str());
  errno = error;
  return moved;
}

}  // namespace opcov
