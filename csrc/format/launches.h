// Refuses a launch that the files read hold twice: beside a merged file one that it was made from, or two merged files
// that overlap, would count its calls twice.
//
// A launch is the recording of one process from its start on. It is known by its header, which every copy of a record
// has and which names host, process and, to the microsecond, when it began. A header without these three is no
// recorder's, and nothing is known of its launch. Memory: some hundred bytes a launch.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "format/record.h"

namespace opcov {

/// What Segment::launch is: a digest of the header; empty where that names no launch.
std::string launch_of(const Json& header);

class Launches {
 public:
  /// Throws Error (kBadInput), naming both places, where a launch of the file is there already.
  void add(const RecordFile& file);

 private:
  struct Place {
    std::string file;
    std::size_t line;
  };
  std::unordered_map<std::string, Place> known_;  // by Segment::launch
};

}  // namespace opcov
