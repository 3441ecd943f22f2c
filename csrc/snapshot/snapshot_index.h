// Which calls snapshots hold, and the manifest that says so.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "format/manifest.h"
#include "snapshot/snapshot_reader.h"

namespace opcov {

struct IndexedSnapshot {
  ProfiledInput snapshot;
  Json signature;  // output and stage left out where nothing states them
};

struct IndexedSnapshots {
  std::vector<IndexedSnapshot> snapshots;  // in the order of the files
  std::vector<std::string> problems;       // a line for each file that is no snapshot
};

/// Throws Error where a file cannot be read for reasons that are not the file's.
IndexedSnapshots index_snapshots(const std::vector<std::string>& files, const SnapshotDefaults& defaults,
                                 bool with_digests);

/// A line a snapshot; a digest that was not computed is null.
std::string manifest_text(const IndexedSnapshots& index);

}  // namespace opcov
