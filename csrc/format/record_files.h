// Finds the record files that a command line names: folders, files and globs (for shells that did not expand them).
//
// Paths stay as they were given, a folder's files behind its name ("records/metadata_rank0_pid1.jsonl").
#pragma once

#include <string>
#include <vector>

namespace opcov {

/// The files in the order of their paths' bytes; of a folder its metadata_*.jsonl. Sidecars named beside their records
/// are passed over. Throws Error (kBadInput) where a name leads to nothing or to a sidecar alone, a folder cannot be
/// read or holds none, or two names lead to the same file.
std::vector<std::string> find_record_files(const std::vector<std::string>& names);

/// The record files of one folder, none where it is missing or empty. Throws Error where it cannot be read.
std::vector<std::string> record_files_in(const std::string& folder);

}  // namespace opcov
