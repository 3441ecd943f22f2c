// Where one signature was first called, of all recordings: a few distinct places, each with how many first calls were
// made there. Which ones are kept does not depend on the order in which they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "format/call_place.h"

namespace opcov {

class CallPlaces {
 public:
  static constexpr std::size_t kMost = 8;

  void add(const CallPlace& place) {
    ++first_calls_[place];
    if (first_calls_.size() <= kMost) return;
    first_calls_.erase(std::prev(first_calls_.end()));
    more_ = true;
  }

  const std::map<CallPlace, std::uint64_t>& all() const { return first_calls_; }

  /// There were others.
  bool more() const { return more_; }

 private:
  std::map<CallPlace, std::uint64_t> first_calls_;
  bool more_ = false;
};

}  // namespace opcov
