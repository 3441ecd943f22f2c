// Which place in a list each of a segment's ids has. Recorders number their signatures from zero: as long as a file
// does so too, the id is the place, and nothing has to be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace opcov {

class PlacesOfIds {
 public:
  /// Gives the id the next place; false where it has one already.
  bool add(std::uint64_t id) {
    if (others_.empty() && id == size_) return ++size_, true;
    if (id < numbered_from_zero() || !others_.try_emplace(id, size_).second) return false;
    return ++size_, true;
  }

  std::optional<std::size_t> place_of(std::uint64_t id) const {
    if (id < numbered_from_zero()) return id;
    const auto found = others_.find(id);
    return found == others_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::size_t numbered_from_zero() const { return size_ - others_.size(); }

  std::size_t size_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> others_;  // from the first one on that is not its own place
};

}  // namespace opcov
