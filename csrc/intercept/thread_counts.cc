#include "intercept/thread_counts.h"

#include <utility>

#include "intercept/session.h"

namespace opcov {

ThreadCounts::ThreadCounts(std::shared_ptr<Session> session) : session_(std::move(session)), slots_(64) {}

ThreadCounts::~ThreadCounts() {
  for (const auto& [first_id, block] : blocks_) session_->give_back_block(block);
}

std::uint64_t* ThreadCounts::add(const KeyView& key, std::uint64_t id) {
  const std::uint64_t first_id = id - id % kCountsPerBlock;
  auto found = blocks_.find(first_id);
  if (found == blocks_.end()) found = blocks_.emplace(first_id, session_->take_block(first_id)).first;
  if (2 * (used_ + 1) > slots_.size()) {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key.words != nullptr) place(slot);
  }
  std::uint64_t* counter = &found->second->counts[id - first_id];
  place({key, counter});
  ++used_;
  return counter;
}

void ThreadCounts::place(const Slot& slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = slot.key.hash & mask;
  while (slots_[i].key.words != nullptr) i = (i + 1) & mask;
  slots_[i] = slot;
}

}  // namespace opcov
