// Programs that are installed beside this one.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.h"

namespace opcov {

inline std::string beside_this(const std::string& name) {
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  if (code) throw failure("cannot find out where opcov is: " + code.message());
  return (self.parent_path() / name).string();
}

}  // namespace opcov
