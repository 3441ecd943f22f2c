// The distinct signatures of all files, each parsed and hashed once.
//
// Threads: one pool belongs to one thread. Memory: one copy of each distinct raw text and of each distinct signature.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "format/signature.h"

namespace opcov {

class SignaturePool {
 public:
  using Index = std::uint32_t;

  /// The signature whose raw JSON text this is; its devices do not matter. Throws FormatError where it is malformed.
  Index intern(std::string_view raw);

  const Signature& operator[](Index index) const { return signatures_[index]; }
  std::size_t size() const { return signatures_.size(); }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> by_text_;
  std::unordered_map<std::string_view, Index> by_digest_;  // views into signatures_, which never moves its elements
  std::deque<Signature> signatures_;
};

}  // namespace opcov
