// The recorder's mutexes. All of them are held across a fork, so that the child finds none taken by a thread that it
// does not have.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace opcov {

/// A timed mutex that lets a thread about to fork go first: else one that unlocks and locks again in a loop would leave
/// it no turn.
class ForkMutex {
 public:
  void lock() {
    let_forks_go_first();
    mutex_.lock();
  }
  bool try_lock() { return mutex_.try_lock(); }
  template <class Rep, class Period>
  bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return mutex_.try_lock_for(patience);
  }
  void unlock() { mutex_.unlock(); }

  /// Not for ever: whoever holds the mutex may in turn wait for the thread that forks, or for a disk.
  bool lock_for_fork(std::chrono::milliseconds patience) {
    forks_waiting_.fetch_add(1);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    bool got = mutex_.try_lock();
    while (!got && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(kTurn);
      got = mutex_.try_lock();
    }
    forks_waiting_.fetch_sub(1);
    return got;
  }

  /// Threads that waited to fork too are not in the child.
  void forget_forks() { forks_waiting_.store(0); }

 private:
  static constexpr std::chrono::microseconds kTurn{200};

  void let_forks_go_first() const {
    // With a bound, should a fork be slow for a reason of its own.
    for (int turns = 0; forks_waiting_.load() > 0 && turns < 5000; ++turns) std::this_thread::sleep_for(kTurn);
  }

  std::timed_mutex mutex_;
  std::atomic<int> forks_waiting_{0};
};

/// Threads: made, used and freed by the thread that forks, before the fork and, in both processes, after it.
class ForkLocks {
 public:
  bool add(ForkMutex& mutex, std::chrono::milliseconds patience) {
    const bool got = mutex.lock_for_fork(patience);
    if (got) held_.push_back(&mutex);
    complete_ = complete_ && got;
    return got;
  }

  /// Every mutex was got.
  bool complete() const { return complete_; }

  void in_child() {
    for (ForkMutex* mutex : held_) mutex->forget_forks();
  }

  /// In the reverse order.
  ~ForkLocks() {
    for (; !held_.empty(); held_.pop_back()) held_.back()->unlock();
  }
  ForkLocks() = default;
  ForkLocks(const ForkLocks&) = delete;
  ForkLocks& operator=(const ForkLocks&) = delete;

 private:
  std::vector<ForkMutex*> held_;
  bool complete_ = true;
};

}  // namespace opcov
