#include "base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace opcov {
namespace {

std::string not_regular(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder where a file is asked for; give a file in it";
  const std::string kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
  return "is " + kind + ", and opcov reads regular files alone; copy what it gives to one";
}

OpenedFile refused(mode_t mode) { return {-1, EINVAL, not_regular(mode)}; }

OpenedFile failed() {
  return {-1, errno, std::string("cannot be read: ") + std::strerror(errno) + "; check the path and its permissions"};
}

}  // namespace

OpenedFile open_regular_file(const std::string& path) {
  struct stat info {};
  // Before it is opened, which can have effects of its own on a device; and after, since it may be another by then.
  if (stat(path.c_str(), &info) != 0) return failed();
  if (!S_ISREG(info.st_mode)) return refused(info.st_mode);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return failed();
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return {fd, 0, {}};
  close(fd);
  return refused(info.st_mode);
}

}  // namespace opcov
