// One signature's calls by rank: two words a rank, for there may be a hundred thousand signatures of ten thousand
// ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opcov {

struct RankCalls {
  std::uint64_t rank;
  std::uint64_t calls;

  bool operator==(const RankCalls&) const = default;
};

class CallsByRank {
 public:
  void add(std::uint64_t rank, std::uint64_t calls);

  /// Each rank once, in the order of the ranks. Leaves nothing behind.
  std::vector<RankCalls> take();

 private:
  void unite();

  std::vector<RankCalls> entries_;  // in the order they came; a rank may have several
  std::size_t united_ = 0;          // how many there were after the last unite()
};

}  // namespace opcov
