// The distinct signatures of all files, each parsed and hashed once.
//
// Threads: intern() and intern_plain() may be called by several at once; the others only while nobody interns. Which
// index a signature gets then depends on the threads. Memory: one copy of each distinct raw text and of each signature.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "format/signature.h"
#include "format/text_table.h"

namespace opcov {

class SignaturePool {
 public:
  using Index = std::uint32_t;

  /// The signature whose raw JSON text this is; its devices do not matter. Throws FormatError where it is malformed.
  Index intern(std::string_view raw);

  /// The same without a parser, where the text was interned before or is a plain signature's.
  std::optional<Index> intern_plain(std::string_view raw);

  const Signature& operator[](Index index) const { return signatures_[index]; }
  std::size_t size() const { return signatures_.size(); }

  /// All of them, by their index; nothing can be looked up afterwards.
  std::deque<Signature> take();

 private:
  Index add(std::string_view raw, Signature&& signature);
  Index index_of(Signature&& signature);

  TextTable by_text_;
  std::mutex mutex_;                                       // guards what follows
  std::unordered_map<std::string_view, Index> by_digest_;  // views into signatures_, which never moves its elements
  std::deque<Signature> signatures_;
};

}  // namespace opcov
