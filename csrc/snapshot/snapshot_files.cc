#include "snapshot/snapshot_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/find_files.h"

namespace opcov {

std::vector<std::string> find_snapshot_files(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& path : expand_names(names)) {
    std::error_code code;
    if (!std::filesystem::is_directory(path, code)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> inside =
        files_in(path, [](const std::string& name) { return name.ends_with(".pt"); });
    if (inside.empty()) throw bad_input(path + ": holds no snapshots (*.pt); name the folder in which they stand");
    files.insert(files.end(), inside.begin(), inside.end());
  }
  std::sort(files.begin(), files.end());
  refuse_duplicates(files, "leave one out");
  return files;
}

}  // namespace opcov
