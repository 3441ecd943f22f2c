#include "snapshot/snapshot_index.h"

#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "format/canonical_json.h"

namespace opcov {
namespace {

IndexedSnapshot index_snapshot(const std::string& path, const SnapshotDefaults& defaults, bool with_digest) {
  if (!is_utf8(path)) throw bad_input(path + ": its name is not valid UTF-8, as a manifest needs it; rename it");
  const RandomAccessFile file(path);
  Json signature = read_snapshot(file, defaults).signature;
  return {{path, with_digest ? file.sha256() : std::string()}, std::move(signature)};
}

}  // namespace

IndexedSnapshots index_snapshots(const std::vector<std::string>& files, const SnapshotDefaults& defaults,
                                 bool with_digests) {
  IndexedSnapshots index;
  Progress progress("reading snapshots", files.size());
  for (const std::string& path : files) {
    try {
      index.snapshots.push_back(index_snapshot(path, defaults, with_digests));
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      index.problems.emplace_back(error.what());
    }
    progress.advance();
  }
  return index;
}

std::string manifest_text(const IndexedSnapshots& index) {
  std::string text;
  for (const auto& [snapshot, signature] : index.snapshots) {
    const Json line = {{"input", snapshot.input}, {"input_sha256", digest_json(snapshot)}, {"signature", signature}};
    text += canonical_json(line) + "\n";
  }
  return text;
}

}  // namespace opcov
