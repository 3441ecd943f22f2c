// Makes many results on all processors and hands them over one by one, in order.
//
// Threads: `make` runs on several at once, `take` on the calling one. Memory: a few results a thread wait to be taken,
// however slow that is. Errors: what `make` throws is thrown where its result is taken; what `take` throws ends it all.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace opcov {

/// How many results of each thread may wait to be taken.
inline constexpr std::size_t kWaitingResults = 8;

inline std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

/// What make(i) returned, or what it threw.
template <typename T>
class Made {
 public:
  template <typename Make>
  static Made by(Make& make, std::size_t i) {
    Made made;
    try {
      made.value_.emplace(make(i));
    } catch (...) {
      made.error_ = std::current_exception();
    }
    return made;
  }

  T get() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
  std::exception_ptr error_;
};

template <typename T, typename Make>
class OrderedWork {
 public:
  OrderedWork(std::size_t count, Make& make, std::size_t most_threads) : count_(count), make_(make) {
    const std::size_t threads = count < 2 ? 0 : std::min(most_threads, count);
    slots_.resize(std::max<std::size_t>(1, kWaitingResults * threads));
    for (std::size_t i = 0; i < threads; ++i) add_thread();
  }
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      begun_ = count_;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  /// Of the next i.
  Made<T> next() {
    if (threads_.empty()) return Made<T>::by(make_, taken_++);
    std::unique_lock lock(mutex_);
    std::optional<Made<T>>& slot = slots_[taken_ % slots_.size()];
    made_.wait(lock, [&] { return slot.has_value(); });
    Made<T> result = std::move(*slot);
    slot.reset();
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return result;
  }

 private:
  void add_thread() {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // a limit on threads: those there are do it, or next() itself
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return begun_ == count_ || begun_ < taken_ + slots_.size(); });
      if (begun_ == count_) return;
      const std::size_t i = begun_++;
      lock.unlock();
      Made<T> result = Made<T>::by(make_, i);
      lock.lock();
      slots_[i % slots_.size()] = std::move(result);
      if (i == taken_) made_.notify_one();
    }
  }

  const std::size_t count_;
  Make& make_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable made_;
  std::condition_variable room_;
  std::vector<std::optional<Made<T>>> slots_;
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  std::vector<std::thread> threads_;  // last: they use all of the above; next() and ~OrderedWork() alone touch it
};

/// take(i, Made<T>) for each i below count, T being what make(i) returns. Without threads the caller makes them too.
template <typename Make, typename Take>
void in_order(std::size_t count, Make make, Take take, std::size_t most_threads = processors()) {
  using T = decltype(make(std::size_t{0}));
  OrderedWork<T, Make> work(count, make, most_threads);
  for (std::size_t i = 0; i < count; ++i) take(i, work.next());
}

}  // namespace opcov
