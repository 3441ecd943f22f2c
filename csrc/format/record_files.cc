#include "format/record_files.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/line_reader.h"

namespace opcov {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSidecar = ".counts";

bool is_record_name(const std::string& name) { return name.starts_with("metadata_") && name.ends_with(".jsonl"); }

std::vector<std::string> expand_glob(const std::string& pattern) {
  glob_t found{};
  const int rc = glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (rc == GLOB_NOMATCH) throw bad_input(pattern + ": matches no file; check the pattern");
  if (rc != 0) throw bad_input(pattern + ": a folder in this pattern cannot be read; check its permissions");
  return paths;
}

struct Named {
  std::vector<std::string> files;
  std::vector<std::string> sidecars;  // a shell's `records/*` names them too; each is read with its record
};

void add_path(const std::string& path, Named& named) {
  std::error_code code;
  if (!fs::is_directory(path, code)) {
    (path.ends_with(kSidecar) ? named.sidecars : named.files).push_back(path);
    return;
  }
  const std::vector<std::string> inside = record_files_in(path);
  if (inside.empty())
    throw bad_input(path +
                    ": holds no record files (metadata_*.jsonl); name the folder that OPCOV_DIR named when the "
                    "program was recorded");
  named.files.insert(named.files.end(), inside.begin(), inside.end());
}

using FilesByIdentity = std::map<FileIdentity, std::string>;

FilesByIdentity identified(const std::vector<std::string>& files) {
  FilesByIdentity seen;
  for (const std::string& file : files) {
    const auto [same, is_new] = seen.emplace(file_identity(file), file);
    if (!is_new)
      throw bad_input(file + ": given twice (also as " + same->second +
                      "); its calls would count twice, leave one out");
  }
  return seen;
}

void refuse_lone_sidecars(const std::vector<std::string>& sidecars, const FilesByIdentity& files) {
  for (const std::string& path : sidecars) {
    const std::string record = path.substr(0, path.size() - kSidecar.size()) + ".jsonl";
    std::error_code code;
    if (!fs::exists(record, code) || !files.contains(file_identity(record)))
      throw bad_input(path + ": is a counts sidecar, which is read with its record alone; give " + record);
  }
}

}  // namespace

std::vector<std::string> record_files_in(const std::string& folder) {
  std::error_code code;
  std::vector<std::string> files;
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  fs::directory_iterator entries(folder, code);
  if (code == std::errc::no_such_file_or_directory) return files;
  for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
    const std::string name = entries->path().filename().string();
    if (is_record_name(name)) files.push_back(prefix + name);
  }
  if (code) throw bad_input(folder + ": cannot be read: " + code.message() + "; check its permissions");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> find_record_files(const std::vector<std::string>& names) {
  Named named;
  for (const std::string& name : names) {
    std::error_code code;
    const bool there = fs::exists(name, code);
    if (!there && name.find_first_of("*?[") != std::string::npos) {
      for (const std::string& path : expand_glob(name)) add_path(path, named);
    } else if (!there) {
      throw bad_input(name + ": no such file or folder" + (code ? " (" + code.message() + ")" : ""));
    } else {
      add_path(name, named);
    }
  }
  std::sort(named.files.begin(), named.files.end());
  refuse_lone_sidecars(named.sidecars, identified(named.files));
  return std::move(named.files);
}

}  // namespace opcov
