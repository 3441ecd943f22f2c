#include "format/record_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/find_files.h"
#include "base/line_reader.h"

namespace opcov {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSidecar = ".counts";

bool is_record_name(const std::string& name) { return name.starts_with("metadata_") && name.ends_with(".jsonl"); }

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

void refuse_lone_sidecars(const std::vector<std::string>& sidecars, const FilesByIdentity& files) {
  for (const std::string& path : sidecars) {
    const std::string record = path.substr(0, path.size() - kSidecar.size()) + ".jsonl";
    std::error_code code;
    if (!fs::exists(record, code) || !files.contains(file_identity(record)))
      throw bad_input(path + ": is a counts sidecar, which is read with its record alone; give " + record);
  }
}

}  // namespace

std::vector<std::string> record_files_in(const std::string& folder) { return files_in(folder, is_record_name); }

std::vector<std::string> find_record_files(const std::vector<std::string>& names) {
  Named named;
  for (const std::string& path : expand_names(names)) add_path(path, named);
  std::sort(named.files.begin(), named.files.end());
  const auto files = refuse_duplicates(named.files, "its calls would count twice, leave one out");
  refuse_lone_sidecars(named.sidecars, files);
  return std::move(named.files);
}

}  // namespace opcov
