// One record file of a job that may still run, looked at again and again. Reads alone, and of a file that has not grown
// the counts sidecar alone.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "format/record.h"
#include "format/signature_pool.h"

namespace opcov {

class LiveFile {
 public:
  explicit LiveFile(std::string path) : path_(std::move(path)) {}

  /// Brings the counts up to date. What cannot be read or understood is a problem() until it can be.
  void update(SignaturePool& pool);

  const RecordFile& record() const { return record_; }
  const std::string& problem() const { return problem_; }

  /// All that it holds came to a clean end; nothing will be added.
  bool ended() const;

 private:
  // What tells that nobody has written a line.
  struct Stamp {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t seconds = 0;  // of its last change
    std::int64_t nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::string& path);
  void read(SignaturePool& pool);
  void read_counts_alone();

  std::string path_;
  std::string problem_;
  Stamp stamp_;
  RecordFile record_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by id, in the one segment that still runs
};

}  // namespace opcov
