// Values by call key (call_key.h). Keys are compared exactly, and stay where they are as long as the table lives. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "intercept/call_key.h"

namespace opcov {

template <class Value>
class KeyTable {
 public:
  struct Entry {
    const std::uint64_t* key = nullptr;  // null: there is none
    Value* value = nullptr;
  };

  Entry find(const KeyView& key) {
    const auto found = values_.find(key);
    return found == values_.end() ? Entry{} : Entry{found->first.words, &found->second};
  }

  /// Of a key that is not there yet.
  Entry add(const KeyView& key, Value value) {
    keys_.emplace_back(key.words, key.words + key.size);
    const std::uint64_t* words = keys_.back().data();
    return {words, &values_.emplace(KeyView{words, key.size, key.hash}, std::move(value)).first->second};
  }

  std::size_t size() const { return values_.size(); }
  void clear() {
    values_.clear();
    keys_.clear();
  }

 private:
  struct Hash {
    std::size_t operator()(const KeyView& key) const { return key.hash; }
  };
  std::deque<std::vector<std::uint64_t>> keys_;
  std::unordered_map<KeyView, Value, Hash> values_;
};

}  // namespace opcov
