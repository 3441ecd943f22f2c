#include "cli/file_birth.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace opcov {

FileBirth file_birth(const std::string& path) {
  struct statx info {};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &info) != 0) return {.path = path};
  FileBirth birth{.path = path, .device = makedev(info.stx_dev_major, info.stx_dev_minor), .inode = info.stx_ino};
  if ((info.stx_mask & STATX_BTIME) == 0) return birth;
  birth.seconds = info.stx_btime.tv_sec;
  birth.nanoseconds = info.stx_btime.tv_nsec;
  return birth;
}

}  // namespace opcov
