#include "report/profiled_inputs.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/find_files.h"
#include "snapshot/snapshot_files.h"
#include "snapshot/snapshot_index.h"

namespace opcov {
namespace {

bool leads_to_snapshots(const std::string& name) {
  std::error_code code;
  return name.ends_with(".pt") || std::filesystem::is_directory(name, code);
}

void add_snapshots(const std::vector<std::string>& files, bool with_digests, SnapshotIndex& snapshots) {
  IndexedSnapshots index = index_snapshots(files, {}, with_digests);
  if (const std::size_t problems = index.problems.size(); problems > 0)
    throw bad_input(index.problems.front() + (problems > 1 ? " (and " + std::to_string(problems - 1) + " more)" : ""));
  for (IndexedSnapshot& entry : index.snapshots) snapshots.add(std::move(entry.snapshot), std::move(entry.signature));
}

}  // namespace

ProfiledInputs load_inputs(const std::vector<std::string>& names, bool with_digests) {
  ProfiledInputs inputs;
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (!leads_to_snapshots(name)) {
      inputs.snapshots.add_manifest(name);
      inputs.files.push_back(name);
      continue;
    }
    const std::vector<std::string> files = find_snapshot_files({name});
    all.insert(all.end(), files.begin(), files.end());
    refuse_duplicates(all, "leave one out");
    add_snapshots(files, with_digests, inputs.snapshots);
  }
  inputs.snapshot_files = all.size();
  inputs.files.insert(inputs.files.end(), all.begin(), all.end());
  return inputs;
}

}  // namespace opcov
