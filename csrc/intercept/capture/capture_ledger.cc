#include "intercept/capture/capture_ledger.h"

#include <algorithm>
#include <mutex>

namespace opcov {
namespace {

// Inputs that wait for the disk, unless one call alone has more.
constexpr std::uint64_t kMostWaiting = 512U << 20U;
// Signatures that are left out and told apart.
constexpr std::size_t kMostLeftOut = 100'000;
constexpr std::size_t kMostListed = 50;
// A signal handler may have called exit() where this thread holds the lock.
constexpr std::chrono::seconds kPatience{1};

NotCaptured past(const char* setting, std::uint64_t limit) {
  return NotCaptured("past " + std::string(setting) + "=" + std::to_string(limit), true);
}

}  // namespace

void CaptureLedger::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (broken()) throw NotCaptured("capturing ended, for a snapshot could not be written", true);
  if (count_ >= config_.max_count) throw past("OPCOV_CAPTURE_MAX_COUNT", config_.max_count);
  if (bytes > config_.max_bytes || bytes_ > config_.max_bytes - bytes)
    throw past("OPCOV_CAPTURE_MAX_BYTES", config_.max_bytes);
  if (std::chrono::nanoseconds(waited_.load(std::memory_order_relaxed)) >= std::chrono::seconds(config_.max_seconds))
    throw past("OPCOV_CAPTURE_MAX_SECONDS", config_.max_seconds);
  if (waiting_ > 0 && waiting_ + bytes > kMostWaiting)
    throw NotCaptured("too much waited for the disk whenever it was called", false);
  ++count_;
  bytes_ += bytes;
  waiting_ += bytes;
}

void CaptureLedger::give_back(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  --count_;
  bytes_ -= bytes;
  waiting_ -= bytes;
}

void CaptureLedger::written(const std::string& digest, std::uint64_t bytes, bool there) {
  const std::lock_guard lock(mutex_);
  waiting_ -= bytes;
  ++(there ? there_ : written_);
  left_out_.erase(digest);
  if (!there) return;
  --count_;
  bytes_ -= bytes;
}

void CaptureLedger::failed(const std::string& digest, std::uint64_t bytes, const std::string& name,
                           const std::string& reason) {
  give_back(bytes);
  left_out(digest, name, reason);
}

void CaptureLedger::left_out(const std::string& digest, const std::string& name, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (left_out_.size() < kMostLeftOut || left_out_.contains(digest))
    left_out_[digest] = {name, reason};
  else
    ++not_listed_;
}

void CaptureLedger::met(const std::string& digest) {
  const std::lock_guard lock(mutex_);
  met_.insert(digest);
}

std::vector<std::string> CaptureLedger::not_met(const std::unordered_map<std::string, std::string>& names) {
  const std::unique_lock lock(mutex_, kPatience);
  std::vector<std::string> never;
  if (!lock.owns_lock()) return never;
  for (const auto& [digest, name] : names)
    if (!met_.contains(digest)) never.push_back(name);
  std::sort(never.begin(), never.end());
  return never;
}

std::vector<RunNotice> CaptureLedger::notices() {
  const std::unique_lock lock(mutex_, kPatience);
  std::vector<RunNotice> all;
  if (!lock.owns_lock()) return all;
  if (written_ + there_ > 0) {
    std::string text = "snapshots in " + config_.dir;
    if (there_ > 0) text += "; " + std::to_string(there_) + " of them were there, or another process made them";
    all.push_back({"captured", written_ + there_, text});
  }
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [digest, one] : left_out_) by_reason[one.reason].push_back(one.name);
  for (auto& [reason, names] : by_reason) {
    std::sort(names.begin(), names.end());
    all.push_back({"not_captured", names.size(), reason + ": " + listed(names)});
  }
  if (not_listed_ > 0) all.push_back({"not_captured", not_listed_, "more signatures than are listed"});
  return all;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostListed) text += " and " + std::to_string(names.size() - kMostListed) + " more";
  return text;
}

}  // namespace opcov
