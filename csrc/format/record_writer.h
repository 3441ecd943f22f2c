// Appends lines to a record file `metadata_rank{R}_pid{P}.jsonl` of which this process is the only writer.
//
// Threads: callers hold a lock of their own. Errors: a failed call returns false and leaves its reason in error();
// nothing is thrown, nothing waits for the disk beyond the one write() that append() makes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace opcov {

/// `path` from the root, by the working folder of now. Unchanged where that cannot be told.
std::string absolute_path(const std::string& path);

class RecordWriter {
 public:
  /// Makes the folder where it is missing and claims a file name there that no other process has or had: `_2`, `_3`
  /// follow the pid where it is taken. Returns null and fills `error` on failure.
  static std::unique_ptr<RecordWriter> create(const std::string& dir, int rank, long pid, std::string& error);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  /// One write() of `line` and a newline. What a full disk took of it is cut off again.
  bool append(std::string line);

  /// Was the file removed under us?
  bool unlinked() const;

  const std::string& path() const { return path_; }
  const std::string& counts_path() const { return counts_path_; }
  const std::string& error() const { return error_; }

 private:
  RecordWriter(int fd, std::string path, std::string counts_path);
  int fd_;
  std::string path_;
  std::string counts_path_;
  std::string error_;
};

}  // namespace opcov
