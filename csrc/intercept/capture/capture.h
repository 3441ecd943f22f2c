// Saves the inputs of wanted calls as snapshots: decides before a call whether its inputs are to be copied, for then
// the operator may write to them, and after it, when its signature is known, whether they become a snapshot.
//
// Before it runs a call is known by its arguments alone. These are looked at until their signature has its snapshot, or
// will never have one; from then on a thread finds them in a table of its own.
//
// Threads: any; a lock is held for a call that is new, never while inputs are copied or an operator runs. Errors: what
// the comments say throws, on lack of memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/launcher_env.h"
#include "intercept/capture/arguments_pickle.h"
#include "intercept/capture/capture_ledger.h"
#include "intercept/capture/snapshot_queue.h"
#include "intercept/capture/wanted_calls.h"
#include "intercept/fork_mutex.h"
#include "intercept/key_table.h"

namespace opcov {

/// Of a call: its operator in the dispatcher's and in Python's spelling, and its stage.
struct CallNames {
  const std::string& base;
  const std::string& overload;
  const std::string& name;
  const std::string& stage;
};

/// What is known of all calls with the same arguments.
struct SameArguments {
  enum class State { kUnwanted, kOpen, kUnderWay, kSettled };
  State state = State::kOpen;
  std::string refusal;                // why there will be no snapshot
  int attempts = 0;                   // calls of which the inputs were copied
  std::optional<std::size_t> wanted;  // signatures; none: the first that comes
  std::size_t captured = 0;
};

/// A call that runs, and what was copied for it.
struct CaptureAttempt {
  SameArguments* arguments = nullptr;
  std::vector<std::uint64_t> key;  // as far as the arguments go
  std::optional<CopiedTensors> copied;
  std::string refusal;  // where nothing was copied
  bool for_good = false;
};

class Capture {
 public:
  Capture(const CaptureConfig& config, std::shared_ptr<const WantedCalls> wanted);

  CaptureConfig::Values values() const { return values_; }
  CaptureLedger& ledger() { return *ledger_; }

  /// Changes where arguments that were settled are looked at again.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

  /// Are the inputs of a call with these arguments to be copied? Then finish() or drop() has to follow. `settled`: they
  /// need not be asked for again.
  SameArguments* begin(const KeyView& arguments, const CallNames& names, bool& settled);

  /// The call has run and is recorded.
  void finish(CaptureAttempt attempt, const KeyView& call, const CallNames& names, RankInfo rank);

  /// It raised an exception, or is not recorded.
  void drop(CaptureAttempt attempt) noexcept;

  /// A signature that a thread met for the first time, without a copy of its inputs.
  void met(const KeyView& arguments, const KeyView& call, const CallNames& names);

  /// Waits for the thread that writes, for a while.
  void close() noexcept;

  std::vector<RunNotice> notices();

 private:
  void settle(SameArguments& arguments, const CaptureAttempt& attempt);
  std::vector<std::string> unmet_entries();
  bool take(const Signature& signature, SameArguments& arguments, const CaptureAttempt& attempt);

  const CaptureConfig::Values values_;
  const std::shared_ptr<const WantedCalls> wanted_;
  const std::shared_ptr<CaptureLedger> ledger_;
  SnapshotQueue queue_;
  std::atomic<std::uint64_t> generation_{1};

  ForkMutex mutex_;
  KeyTable<SameArguments> arguments_;
  std::vector<bool> met_entries_;          // of OPCOV_CAPTURE: a call has met them
  bool told_ = false;                      // which of them none met
  std::unordered_set<std::string> taken_;  // digests of signatures that have their snapshot, or will
};

/// A thread's part in it.
struct CaptureThread {
  explicit CaptureThread(Capture& whole) : capture(whole) {}

  bool is_settled(const KeyView& arguments);
  void settle(const KeyView& arguments);

  Capture& capture;
  std::vector<CaptureAttempt> attempts;  // of calls under way, inner ones last

 private:
  std::uint64_t generation_ = 0;
  KeyTable<bool> settled_;
};

}  // namespace opcov
