// One thread's view of a recording: the signatures it has met, each with the counter it adds to.
//
// The path of a signature already met takes no lock and allocates nothing: a hash, an exact comparison, an addition
// to a counter that no other thread writes. Owned by its thread; made and handed back under the session's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "format/counts_layout.h"
#include "intercept/call_key.h"

namespace opcov {

class Session;

class ThreadCounts {
 public:
  explicit ThreadCounts(std::shared_ptr<Session> session);
  ~ThreadCounts();
  ThreadCounts(const ThreadCounts&) = delete;
  ThreadCounts& operator=(const ThreadCounts&) = delete;

  Session& session() { return *session_; }

  /// The counter of a signature met before by this thread, or null.
  std::uint64_t* find(const KeyView& key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = key.hash & mask; slots_[i].key.words != nullptr; i = (i + 1) & mask)
      if (slots_[i].key == key) return slots_[i].counter;
    return nullptr;
  }

  /// Makes a signature known to this thread. The key's words live as long as the session.
  std::uint64_t* add(const KeyView& key, std::uint64_t id);

  /// One writer a counter, so a plain load and store will do; atomic for those who read it meanwhile.
  static void add(std::uint64_t* counter, std::uint64_t calls) {
    std::atomic_ref<std::uint64_t> count(*counter);
    count.store(count.load(std::memory_order_relaxed) + calls, std::memory_order_relaxed);
  }
  static void increment(std::uint64_t* counter) { add(counter, 1); }

 private:
  struct Slot {
    KeyView key;
    std::uint64_t* counter = nullptr;
  };
  void place(const Slot& slot);

  std::shared_ptr<Session> session_;
  std::vector<Slot> slots_;  // open addressing, a power of two
  std::size_t used_ = 0;
  std::map<std::uint64_t, CountsBlock*> blocks_;  // by first id
};

}  // namespace opcov
