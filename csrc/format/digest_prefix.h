// The first digits of a signature's digest, as command lines take them in place of a file's name.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace opcov {

/// A file that is named so is a file.
inline bool is_digest_prefix(const std::string& name) {
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kWhole = 64;
  std::error_code code;
  return name.size() >= kShortest && name.size() <= kWhole &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos && !std::filesystem::exists(name, code);
}

/// Throws Error (kBadInput) where digits stand among the files that an option takes, as happens where they stand behind
/// it: it takes every name up to the next option.
inline void refuse_digests(const std::vector<std::string>& files, const std::string& option) {
  const auto digest = std::find_if(files.begin(), files.end(), is_digest_prefix);
  if (digest != files.end())
    throw bad_input(*digest + ": no such file or folder; a digest stands before " + option +
                    ", which takes every name behind it");
}

}  // namespace opcov
