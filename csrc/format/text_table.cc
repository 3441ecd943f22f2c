#include "format/text_table.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace opcov {
namespace {

constexpr std::size_t kBlockBytes = 64 << 10;

// The lowest bits choose the bucket within a shard.
std::size_t shard_of(std::size_t hash, std::size_t shards) { return (hash >> 48) % shards; }

}  // namespace

std::optional<std::uint32_t> TextTable::find(std::string_view text) const {
  const Hashed hashed{text, std::hash<std::string_view>{}(text)};
  const Shard& shard = shards_[shard_of(hashed.hash, kShards)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.numbers.find(hashed);
  return found == shard.numbers.end() ? std::nullopt : std::optional(found->second);
}

void TextTable::add(std::string_view text, std::uint32_t number) {
  Hashed hashed{text, std::hash<std::string_view>{}(text)};
  Shard& shard = shards_[shard_of(hashed.hash, kShards)];
  const std::lock_guard lock(shard.mutex);
  if (shard.numbers.contains(hashed)) return;
  hashed.text = shard.keep(text);
  shard.numbers.emplace(hashed, number);
}

void TextTable::clear() {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.numbers = {};
    shard.blocks.clear();
    shard.left = 0;
  }
}

std::string_view TextTable::Shard::keep(std::string_view text) {
  if (text.size() > left) {
    left = std::max(text.size(), kBlockBytes);
    blocks.push_back(std::make_unique_for_overwrite<char[]>(left));
    next = blocks.back().get();
  }
  std::memcpy(next, text.data(), text.size());
  const std::string_view kept(next, text.size());
  next += text.size();
  left -= text.size();
  return kept;
}

}  // namespace opcov
