// Merges record files to one, which is a record file again: the segments of all, line by line as they were, in an
// order of their own (by rank, start and content).
//
// The result depends on the launches alone, not on how they stood in files: merging on each node first and then over
// the nodes gives the bytes of merging all at once. What stands in a sidecar becomes lines of the segment. Memory: the
// distinct signatures of some thousand files at a time, and for each segment half a kilobyte, with some twenty bytes
// for each signature that only a sidecar counts. Errors: throws Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/sink.h"
#include "format/findings.h"

namespace opcov {

/// A segment as it will stand in the merged file.
struct MergedSegment {
  std::size_t file = 0;     // in the plan's list
  std::uint64_t begin = 0;  // the bytes of its lines there
  std::uint64_t end = 0;
  std::string tail;  // the lines that follow these
  std::uint64_t rank = 0;
  std::string started_at;
  std::string digest;  // of the whole text
};

struct MergePlan {
  std::vector<std::string> files;
  std::vector<MergedSegment> segments;  // in their order
  std::vector<Finding> warnings;
};

/// Reads the files. Throws at the first that breaks the format or holds a launch that was there already, and where
/// there is no segment at all.
MergePlan plan_merge(const std::vector<std::string>& files);

/// Copies the segments. Throws (kFailure) where a file is not any more what it was when the plan was made.
void write_merged(const MergePlan& plan, const Sink& sink);

}  // namespace opcov
