// A file of which only some places are read: plain reads at an offset, so that memory is what was asked for and a file
// that another process cuts short meanwhile is a short file, not a SIGBUS.
//
// Errors: throws Error (kBadInput) where there is no regular file to read (a FIFO would wait for a writer), FormatError
// where it ends before what is asked for.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>

namespace opcov {

class RandomAccessFile {
 public:
  explicit RandomAccessFile(std::string path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened

  std::string read(std::uint64_t offset, std::size_t bytes) const;

  /// SHA-256 of the whole file. Throws Error (kBadInput) where it was written to since it was opened: the digest would
  /// not be that of what was read.
  std::string sha256() const;

 private:
  struct stat status() const;
  std::size_t read_some(std::uint64_t offset, char* to, std::size_t bytes) const;

  std::string path_;
  int fd_;
  std::uint64_t size_ = 0;
  timespec modified_{};
};

}  // namespace opcov
