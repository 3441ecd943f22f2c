#include "format/counts_reader.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "format/counts_layout.h"
#include "format/format_error.h"

namespace opcov {
namespace {

constexpr std::uint64_t kMost = INT64_MAX;

void add_block(const CountsBlock& block, std::uint64_t number, Counts& counts) {
  if (block.in_use == 0) return;
  const std::string place = "block " + std::to_string(number);
  if (block.in_use != 1 || block.first_id > kMost - kCountsPerBlock)
    throw FormatError(place + " is damaged; remove the file to fall back on the record's last calls line");
  for (std::uint32_t i = 0; i < kCountsPerBlock; ++i) {
    if (block.counts[i] == 0) continue;
    std::uint64_t& sum = counts.calls[block.first_id + i];
    if (block.counts[i] > kMost - sum)
      throw FormatError(place + " takes the count of id " + std::to_string(block.first_id + i) + " beyond 2^63-1");
    sum += block.counts[i];
  }
}

}  // namespace

std::optional<Counts> read_counts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    throw FormatError(std::string("cannot be read: ") + std::strerror(errno));
  }
  CountsBlock block{};
  const auto next = [&] {
    block = {};
    file.read(reinterpret_cast<char*>(&block), sizeof block);
    if (file.bad()) throw FormatError("cannot be read to its end");
    return file.gcount() > 0;
  };
  if (!next()) return std::nullopt;
  CountsHeader header{};
  std::memcpy(&header, &block, sizeof header);
  if (header.magic[0] == '\0') return std::nullopt;
  if (std::memcmp(header.magic, kCountsMagic, sizeof header.magic) != 0)
    throw FormatError("is no counts sidecar: it does not begin with OPCOVCNT");
  if (header.version != kCountsVersion || header.block_bytes != kCountsBlockBytes)
    throw FormatError("is a sidecar of version " + std::to_string(header.version) + " with blocks of " +
                      std::to_string(header.block_bytes) + " bytes; this opcov reads version " +
                      std::to_string(kCountsVersion) + " with " + std::to_string(kCountsBlockBytes));
  if (header.overflow > kMost || header.undescribed > kMost)
    throw FormatError("its header is damaged; remove the file to fall back on the record's last calls line");
  Counts counts{header.pid, header.overflow, header.undescribed, {}};
  for (std::uint64_t number = 1; next(); ++number) add_block(block, number, counts);
  return counts;
}

std::string counts_path(const std::string& record_path) {
  constexpr std::string_view kSuffix = ".jsonl";
  if (!record_path.ends_with(kSuffix)) return {};
  return record_path.substr(0, record_path.size() - kSuffix.size()) + ".counts";
}

}  // namespace opcov
