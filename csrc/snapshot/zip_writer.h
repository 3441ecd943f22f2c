// Writes a zip file as torch.save does: entries stored, the bytes of each at a multiple of 64, zip64 records where 32
// bits do not do.
//
// Threads: one writer belongs to one thread. Errors: throws Error (kFailure), which names the path, where a write
// fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcov {

class ZipWriter {
 public:
  /// The file is written from its present place, which is its begin; the caller closes it. `largest`: what a 32-bit
  /// field may hold, less in tests.
  explicit ZipWriter(int fd, std::string path, std::uint64_t largest = 0xFFFFFFFE)
      : fd_(fd), path_(std::move(path)), largest_(largest) {}

  /// The pieces, one behind the other, are the entry's bytes.
  void add(const std::string& name, const std::vector<std::string_view>& pieces);

  /// The directory. Nothing can be added afterwards.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t size;
    std::uint64_t offset;  // of its header
    std::uint32_t crc;
  };

  void write(std::string_view bytes);
  std::string local_header(const Entry& entry) const;
  std::string directory_record(const Entry& entry) const;
  std::string end_records(std::uint64_t directory_at, std::uint64_t directory_bytes) const;
  bool fits(std::uint64_t value) const { return value <= largest_; }

  const int fd_;
  const std::string path_;
  const std::uint64_t largest_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace opcov
