// The recorder's locks, held across a fork so that the child finds none of them taken by a thread that it does not
// have.
#pragma once

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace opcov {

/// Threads: made, used and freed by the thread that forks, before the fork and, in both processes, after it.
class ForkLocks {
 public:
  /// Waits for the mutex, but not for ever: whoever holds it may in turn wait for the thread that forks, or for a disk.
  template <class Mutex>
  bool add(Mutex& mutex, std::chrono::milliseconds patience);

  /// Every lock was got.
  bool complete() const { return complete_; }

  /// In the reverse order.
  ~ForkLocks() {
    while (!held_.empty()) {
      held_.back().unlock(held_.back().mutex);
      held_.pop_back();
    }
  }
  ForkLocks() = default;
  ForkLocks(const ForkLocks&) = delete;
  ForkLocks& operator=(const ForkLocks&) = delete;

 private:
  struct Held {
    void* mutex;
    void (*unlock)(void* mutex);
  };
  std::vector<Held> held_;
  bool complete_ = true;
};

template <class Mutex>
bool ForkLocks::add(Mutex& mutex, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  bool got = mutex.try_lock();
  while (!got && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    got = mutex.try_lock();
  }
  if (got)
    held_.push_back({&mutex, [](void* held) { static_cast<Mutex*>(held)->unlock(); }});
  else
    complete_ = false;
  return got;
}

}  // namespace opcov
