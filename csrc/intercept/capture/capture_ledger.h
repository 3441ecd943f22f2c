// What became of the calls that were to be captured, and what the budgets (OPCOV_CAPTURE_MAX_*) have left. For the
// record's notices.
//
// Threads: any. Shared with the thread that writes, which may outlive the recording.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/settings.h"
#include "intercept/fork_mutex.h"
#include "intercept/run_notice.h"

namespace opcov {

/// Why the inputs of a call are not saved. `for_good`: a later call of the signature would not fare better.
struct NotCaptured : std::runtime_error {
  NotCaptured(const std::string& reason, bool is_for_good) : std::runtime_error(reason), for_good(is_for_good) {}
  bool for_good;
};

class CaptureLedger {
 public:
  explicit CaptureLedger(const CaptureConfig& config) : config_(config) {}

  /// Takes a snapshot with this much data out of the budgets and into the memory that waits for the disk. Throws
  /// NotCaptured where there is no room.
  void reserve(std::uint64_t bytes);

  /// Nothing was made of it: the budgets are as before.
  void give_back(std::uint64_t bytes);

  /// A call has waited for its inputs to be copied.
  void add_wait(std::chrono::nanoseconds time) { waited_.fetch_add(time.count(), std::memory_order_relaxed); }

  /// A signature that was reserved for is written (`there`: by another process), or is not.
  void written(const std::string& digest, std::uint64_t bytes, bool there);
  void failed(const std::string& digest, std::uint64_t bytes, const std::string& name, const std::string& reason);

  /// A signature was met and not saved. Its last reason is listed, unless it is captured later.
  void left_out(const std::string& digest, const std::string& name, const std::string& reason);

  /// A signature that a report lists was met.
  void met(const std::string& digest);
  /// The names, by digest, of those that were not.
  std::vector<std::string> not_met(const std::unordered_map<std::string, std::string>& names);

  /// Writing failed: nothing more is to be captured. True for the first who says so.
  bool give_up() { return !broken_.exchange(true); }
  bool broken() const { return broken_.load(std::memory_order_relaxed); }

  std::vector<RunNotice> notices();

 private:
  struct LeftOut {
    std::string name;
    std::string reason;
  };

  const CaptureConfig config_;
  std::atomic<std::int64_t> waited_{0};
  std::atomic<bool> broken_{false};

  ForkMutex mutex_;
  std::uint64_t count_ = 0;    // reserved and written
  std::uint64_t bytes_ = 0;    // of the same
  std::uint64_t waiting_ = 0;  // bytes in memory
  std::uint64_t written_ = 0;
  std::uint64_t there_ = 0;
  std::map<std::string, LeftOut> left_out_;  // by digest
  std::uint64_t not_listed_ = 0;
  std::unordered_set<std::string> met_;
};

/// "a, b and 3 more".
std::string listed(const std::vector<std::string>& names);

}  // namespace opcov
