// Tells a file from another that took its name and its inode after it was removed.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace opcov {

struct FileBirth {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t seconds = 0;  // when it was made; 0 where the file system does not know
  std::uint32_t nanoseconds = 0;

  auto operator<=>(const FileBirth&) const = default;
};

/// Zeros behind the path where the file is gone.
FileBirth file_birth(const std::string& path);

}  // namespace opcov
