// Makes manifest lines of snapshots: which calls they hold.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "snapshot/snapshot_reader.h"

namespace opcov {

struct IndexedSnapshots {
  std::string manifest;               // a line a snapshot, in the order of the files
  std::vector<std::string> problems;  // a line for each file that is no snapshot
};

/// Throws Error where a file cannot be read for reasons that are not the file's.
IndexedSnapshots index_snapshots(const std::vector<std::string>& files, const SnapshotDefaults& defaults,
                                 bool with_digests);

}  // namespace opcov
