// Finds the snapshots that a command line names: .pt files, folders of them and globs.
#pragma once

#include <string>
#include <vector>

namespace opcov {

/// In the order of their paths' bytes; of a folder its *.pt, behind its name. Throws Error (kBadInput) where a name
/// leads to nothing, a folder cannot be read or holds none, or two names lead to the same file.
std::vector<std::string> find_snapshot_files(const std::vector<std::string>& names);

}  // namespace opcov
