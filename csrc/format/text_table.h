// Texts that were seen before, each with a number, looked up by exact comparison.
//
// Threads: all functions may be called by several at once; a text is looked up under a lock that few others wait for.
// Memory: one copy of each text, without any block of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opcov {

class TextTable {
 public:
  std::optional<std::uint32_t> find(std::string_view text) const;

  /// Keeps a copy of the text. Where another thread has added it meanwhile, that one's number stays.
  void add(std::string_view text, std::uint32_t number);

  /// Forgets all texts and gives their memory back.
  void clear();

 private:
  struct Hashed {
    std::string_view text;
    std::size_t hash;
    bool operator==(const Hashed& other) const { return text == other.text; }
  };
  struct HashOf {
    std::size_t operator()(const Hashed& hashed) const { return hashed.hash; }
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<Hashed, std::uint32_t, HashOf> numbers;  // views into blocks
    std::vector<std::unique_ptr<char[]>> blocks;
    std::size_t left = 0;  // of the last block
    char* next = nullptr;

    std::string_view keep(std::string_view text);
  };
  static constexpr std::size_t kShards = 32;

  std::array<Shard, kShards> shards_;
};

}  // namespace opcov
