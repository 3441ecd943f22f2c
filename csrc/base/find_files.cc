#include "base/find_files.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace opcov {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> expand_glob(const std::string& pattern) {
  glob_t found{};
  const int rc = glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (rc == GLOB_NOMATCH) throw bad_input(pattern + ": matches no file; check the pattern");
  if (rc != 0) throw bad_input(pattern + ": a folder in this pattern cannot be read; check its permissions");
  return paths;
}

}  // namespace

std::vector<std::string> expand_names(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::error_code code;
    if (fs::exists(name, code)) {
      paths.push_back(name);
    } else if (name.find_first_of("*?[") != std::string::npos) {
      const std::vector<std::string> matches = expand_glob(name);
      paths.insert(paths.end(), matches.begin(), matches.end());
    } else {
      throw bad_input(name + ": no such file or folder" + (code ? " (" + code.message() + ")" : ""));
    }
  }
  return paths;
}

std::vector<std::string> files_in(const std::string& folder,
                                  const std::function<bool(const std::string& name)>& wanted) {
  std::error_code code;
  std::vector<std::string> files;
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  fs::directory_iterator entries(folder, code);
  if (code == std::errc::no_such_file_or_directory) return files;
  for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
    const std::string name = entries->path().filename().string();
    if (wanted(name)) files.push_back(prefix + name);
  }
  if (code) throw bad_input(folder + ": cannot be read: " + code.message() + "; check its permissions");
  std::sort(files.begin(), files.end());
  return files;
}

FilesByIdentity refuse_duplicates(const std::vector<std::string>& files, const std::string& remedy) {
  FilesByIdentity seen;
  for (const std::string& file : files) {
    const auto [same, is_new] = seen.emplace(file_identity(file), file);
    if (!is_new) throw bad_input(file + ": given twice (also as " + same->second + "); " + remedy);
  }
  return seen;
}

}  // namespace opcov
