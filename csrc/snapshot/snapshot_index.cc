#include "snapshot/snapshot_index.h"

#include <utility>

#include "base/error.h"
#include "format/canonical_json.h"

namespace opcov {
namespace {

std::string manifest_line(const std::string& path, const SnapshotDefaults& defaults, bool with_digests) {
  if (!is_utf8(path)) throw bad_input(path + ": its name is not valid UTF-8, as a manifest needs it; rename it");
  const RandomAccessFile file(path);
  Json line = {{"input", path}};
  line["signature"] = read_snapshot(file, defaults).signature;
  line["input_sha256"] = with_digests ? Json(file.sha256()) : Json(nullptr);
  return canonical_json(line) + "\n";
}

}  // namespace

IndexedSnapshots index_snapshots(const std::vector<std::string>& files, const SnapshotDefaults& defaults,
                                 bool with_digests) {
  IndexedSnapshots index;
  for (const std::string& path : files) {
    try {
      index.manifest += manifest_line(path, defaults, with_digests);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      index.problems.emplace_back(error.what());
    }
  }
  return index;
}

}  // namespace opcov
