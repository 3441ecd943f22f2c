// The profiled inputs that a command line names: manifests, and snapshots that are read themselves.
//
// A folder stands for its *.pt, a name that ends in .pt for a snapshot or a glob of some; any other name is a
// manifest's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "format/manifest.h"

namespace opcov {

struct ProfiledInputs {
  SnapshotIndex snapshots;         // in the order of the names, those of a folder by their paths' bytes
  std::vector<std::string> files;  // all that was read
  std::size_t snapshot_files = 0;
};

/// Digests are those of .pt files, which then have to be read whole. Throws Error (kBadInput) with the first file that
/// cannot be read or is no snapshot, and where two names lead to the same .pt file.
ProfiledInputs load_inputs(const std::vector<std::string>& names, bool with_digests);

}  // namespace opcov
