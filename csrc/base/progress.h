// Shows on a terminal how far long work is, on one line of stderr that is gone when the work is done.
//
// Nothing is shown in the first second, and nothing at all where stderr is no terminal. Drawn by a thread of its own,
// so that one long step shows too. Threads: advance() from any; the others belong to the caller. Errors: none; what
// cannot be drawn is not drawn.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace opcov {

struct ProgressStyle {
  int fd = STDERR_FILENO;
  std::chrono::milliseconds delay{1000};  // before it is shown
  std::chrono::milliseconds period{100};
};

class Progress {
 public:
  /// `what` is done in so many steps: "reading record files".
  Progress(std::string what, std::size_t steps, ProgressStyle style = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more step is done.
  void advance() { done_.fetch_add(1, std::memory_order_relaxed); }

  /// Runs print(), which writes lines to what may be the same terminal, while no bar is there.
  template <typename Print>
  void beside(Print print) {
    const std::lock_guard lock(mutex_);
    erase();
    print();
  }

 private:
  void run();
  void draw();
  void erase();

  const std::string what_;
  const std::size_t steps_;
  const ProgressStyle style_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;  // guards what follows, and drawing
  std::condition_variable ended_;
  bool end_ = false;
  std::string shown_;
  std::thread thread_;
};

/// The line itself, no longer than `width`: "reading record files [####      ] 412 of 1000, 3 s".
std::string progress_line(const std::string& what, std::size_t done, std::size_t steps, std::chrono::seconds elapsed,
                          std::size_t width);

}  // namespace opcov
