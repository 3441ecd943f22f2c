// Reads a counts sidecar (counts_layout.h), also one that a running program still adds to.
//
// Errors: throws FormatError where the file is there but is no sidecar of this version, is damaged or cannot be read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace opcov {

struct Counts {
  std::uint64_t pid = 0;
  std::uint64_t overflow = 0;                    // calls of signatures past the recorder's limit
  std::uint64_t undescribed = 0;                 // calls that could not be described
  std::map<std::uint64_t, std::uint64_t> calls;  // by signature id; ids without calls are absent
};

/// Nothing where the file is missing, or where its program was ended before it had begun to count.
std::optional<Counts> read_counts(const std::string& path);

/// The sidecar's path beside a record file's; empty where the record's name does not end in .jsonl.
std::string counts_path(const std::string& record_path);

}  // namespace opcov
