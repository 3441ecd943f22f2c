// Reads a file line by line in one pass, hashing what it reads.
//
// Plain reads instead of a mapping: a file that another process cuts short meanwhile is then a short file, not a
// SIGBUS. Memory is one block plus the longest line. Threads: one object belongs to one thread. Errors: throws Error
// (kBadInput) that names the file where it cannot be opened or read or is no regular file, and the line where that is
// longer than kLongestLine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/sha256.h"

namespace opcov {

/// What a line may hold: far more than any that a recorder writes, be it a signature with lists of thousands of
/// tensors.
inline constexpr std::size_t kLongestLine = 64 << 20;

class LineReader {
 public:
  explicit LineReader(std::string path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its newline, valid until the next call. False at the end of the file.
  bool next(std::string_view& line);

  /// Number of the line that next() gave last, from 1.
  std::size_t line_number() const { return line_number_; }

  /// Where in the file what follows that line begins.
  std::uint64_t offset() const { return dropped_ + begin_; }

  /// Had that line a newline? Only a file's last line can lack it.
  bool terminated() const { return terminated_; }

  /// SHA-256 of the whole file; reads what is left of it.
  std::string sha256();

 private:
  bool fill();

  std::string path_;
  int fd_;
  std::string buffer_;
  std::size_t begin_ = 0;      // of the unread part of buffer_
  std::size_t scanned_ = 0;    // buffer_ holds no newline in [begin_, scanned_)
  std::size_t end_ = 0;        // of what buffer_ holds
  std::uint64_t dropped_ = 0;  // bytes of the file before buffer_
  std::size_t line_number_ = 0;
  bool terminated_ = true;
  Sha256 hash_;
};

/// Device and inode: equal for two paths exactly when they name one file.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
FileIdentity file_identity(const std::string& path);

}  // namespace opcov
