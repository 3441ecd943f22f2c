#include "format/counts_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/regular_file.h"
#include "format/counts_layout.h"
#include "format/format_error.h"

namespace opcov {
namespace {

constexpr std::uint64_t kMost = INT64_MAX;
constexpr const char* kRemedy = "; remove the file to fall back on the record's last calls line";

// A recorder takes its blocks one after the other from extents of 4 MiB. A file with much more that is unused after a
// used block is none of its making, and may be terabytes of nothing.
constexpr std::uint64_t kMostUnusedBlocks = (64 << 20) / kCountsBlockBytes;

class BlockReader {
 public:
  explicit BlockReader(int fd) : fd_(fd) {}
  ~BlockReader() { close(fd_); }
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// Zeros where the file ends within the block. False at the end of the file.
  bool next(CountsBlock& block) {
    block = {};
    std::size_t filled = 0;
    while (filled < sizeof block) {
      const ssize_t got = read(fd_, reinterpret_cast<char*>(&block) + filled, sizeof block - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw FormatError(std::string("cannot be read to its end: ") + std::strerror(errno));
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled > 0;
  }

 private:
  int fd_;
};

void add_block(const CountsBlock& block, std::uint64_t number, Counts& counts) {
  const std::string place = "block " + std::to_string(number);
  if (block.in_use != 1 || block.first_id > kMost - kCountsPerBlock) throw FormatError(place + " is damaged" + kRemedy);
  for (std::uint32_t i = 0; i < kCountsPerBlock; ++i) {
    if (block.counts[i] == 0) continue;
    std::uint64_t& sum = counts.calls[block.first_id + i];
    if (block.counts[i] > kMost - sum)
      throw FormatError(place + " takes the count of id " + std::to_string(block.first_id + i) + " beyond 2^63-1" +
                        kRemedy);
    sum += block.counts[i];
  }
}

}  // namespace

std::optional<Counts> read_counts(const std::string& path) {
  const OpenedFile file = open_regular_file(path);
  if (file.fd < 0 && file.error == ENOENT) return std::nullopt;
  if (file.fd < 0) throw FormatError(file.problem);
  BlockReader blocks(file.fd);
  CountsBlock block{};
  if (!blocks.next(block)) return std::nullopt;
  CountsHeader header{};
  std::memcpy(&header, &block, sizeof header);
  if (header.magic[0] == '\0') return std::nullopt;
  if (std::memcmp(header.magic, kCountsMagic, sizeof header.magic) != 0)
    throw FormatError(std::string("is no counts sidecar: it does not begin with OPCOVCNT") + kRemedy);
  if (header.version != kCountsVersion || header.block_bytes != kCountsBlockBytes)
    throw FormatError("is a sidecar of version " + std::to_string(header.version) + " with blocks of " +
                      std::to_string(header.block_bytes) + " bytes; this opcov reads version " +
                      std::to_string(kCountsVersion) + " with " + std::to_string(kCountsBlockBytes));
  if (header.overflow > kMost || header.undescribed > kMost)
    throw FormatError(std::string("its header is damaged") + kRemedy);
  Counts counts{header.pid, header.overflow, header.undescribed, {}};
  std::uint64_t unused = 0;
  for (std::uint64_t number = 1; blocks.next(block); ++number) {
    unused = block.in_use == 0 ? unused + 1 : 0;
    if (unused > kMostUnusedBlocks)
      throw FormatError("is damaged: its blocks up to " + std::to_string(number) + " are unused for more than 64 MiB" +
                        kRemedy);
    if (block.in_use != 0) add_block(block, number, counts);
  }
  return counts;
}

std::string counts_path(const std::string& record_path) {
  constexpr std::string_view kSuffix = ".jsonl";
  if (!record_path.ends_with(kSuffix)) return {};
  return record_path.substr(0, record_path.size() - kSuffix.size()) + ".counts";
}

}  // namespace opcov
