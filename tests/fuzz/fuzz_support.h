// What the fuzzers share: files whose content changes with each execution, and what has to hold of whatever was read.
//
// A broken promise ends the process, which is how libFuzzer learns of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "format/record.h"

namespace opcov::fuzz {

/// Ends the process with `promise` on stderr where it does not hold.
void require(bool holds, std::string_view promise, std::string_view detail = {});

/// A file of this process in its folder of scratch files, which is gone at the end of the process.
class InputFile {
 public:
  explicit InputFile(const std::string& name, std::string_view bytes = {});
  const std::string& path() const { return path_; }
  void write(std::string_view bytes) const;

 private:
  std::string path_;
  int fd_;
};

/// Path of `name` in the folder of scratch files.
std::string scratch(const std::string& name);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Reads the record twice and adds it up: findings name their file and line, both readings are equal, and the report
/// and the summary of a sound file state the sum of its counts. `text` is what the file holds.
RecordFile check_record(const std::string& path, std::string_view text);

}  // namespace opcov::fuzz
