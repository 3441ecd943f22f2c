// Writes a whole file or nothing: to a temporary file in the same folder, synced, then renamed.
//
// Errors: throws Error; kBadInput where the target is taken or unsuitable (before anything is written), kFailure where
// writing fails. Whatever fails, the target is as it was and the temporary file is gone.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace opcov {

/// To be asked before long work starts: may `path` be written? A file that is there needs `force`.
void check_writable(const std::string& path, bool force);

/// Would a file written to `path` take the place of `other`? Also where neither is there yet.
bool same_file(const std::string& path, const std::string& other);

/// The file while it is written; without commit() nothing is left of it.
class OutputFile {
 public:
  OutputFile(const std::string& path, bool force);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);

  /// Syncs the file and gives it its name.
  void commit();

 private:
  Error failed(const std::string& what) const;

  std::string target_;
  std::string name_;
  bool force_;
  int fd_ = -1;
  bool renamed_ = false;
};

void write_whole_file(const std::string& path, std::string_view text, bool force);

}  // namespace opcov
