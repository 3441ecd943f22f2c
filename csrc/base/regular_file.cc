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

std::string read_problem() {
  return std::string("cannot be read: ") + std::strerror(errno) + "; check the path and its permissions";
}

OpenedFile refused(mode_t mode) { return {-1, EINVAL, not_regular(mode)}; }

OpenedFile failed() { return {-1, errno, read_problem()}; }

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

int open_input(const std::string& path) {
  const OpenedFile file = open_regular_file(path);
  if (file.fd < 0) throw bad_input(path + ": " + file.problem);
  return file.fd;
}

Error cannot_read(const std::string& path) { return bad_input(path + ": " + read_problem()); }

}  // namespace opcov
