#include "report/calls_by_rank.h"

#include <algorithm>
#include <utility>

namespace opcov {

void CallsByRank::add(std::uint64_t rank, std::uint64_t calls) {
  if (!entries_.empty() && entries_.back().rank == rank) {
    entries_.back().calls += calls;
    return;
  }
  // However many launches of the same ranks there are, memory follows the ranks.
  constexpr std::size_t kFew = 64;
  if (entries_.size() >= kFew && entries_.size() >= 2 * united_) unite();
  entries_.push_back({rank, calls});
}

std::vector<RankCalls> CallsByRank::take() {
  unite();
  return std::move(entries_);
}

void CallsByRank::unite() {
  std::sort(entries_.begin(), entries_.end(), [](const RankCalls& a, const RankCalls& b) { return a.rank < b.rank; });
  std::size_t kept = 0;
  for (const RankCalls& entry : entries_) {
    if (kept > 0 && entries_[kept - 1].rank == entry.rank)
      entries_[kept - 1].calls += entry.calls;
    else
      entries_[kept++] = entry;
  }
  entries_.resize(kept);
  united_ = kept;
}

}  // namespace opcov
