// Writes snapshots on a thread of its own, one after the other.
//
// Threads: any. Errors: push() throws where no thread can be started; what becomes of a snapshot goes to the ledger. A
// disk that fails ends capturing, with one line on stderr. A forked child has no such thread: it never touches the
// queues of its parent.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/settings.h"
#include "intercept/capture/capture_ledger.h"
#include "intercept/fork_mutex.h"
#include "snapshot/snapshot_writer.h"

namespace opcov {

struct PendingSnapshot {
  SnapshotContent snapshot;
  std::string digest;
  std::string name;  // to list it by
  int world_size = 1;
  std::uint64_t bytes = 0;                                      // as reserved in the ledger
  std::function<void(std::vector<SnapshotStorage>&)> complete;  // before it is written; may be empty
};

class SnapshotQueue {
 public:
  SnapshotQueue(const CaptureConfig& config, std::shared_ptr<CaptureLedger> ledger);
  /// Waits for nothing.
  ~SnapshotQueue() { finish(std::chrono::milliseconds(0)); }
  SnapshotQueue(const SnapshotQueue&) = delete;
  SnapshotQueue& operator=(const SnapshotQueue&) = delete;

  void push(PendingSnapshot pending);

  /// Until all are written, or `patience` is over: what then waits still is left out. Nothing can be added afterwards.
  void finish(std::chrono::milliseconds patience) noexcept;

 private:
  struct State {
    std::string dir;
    bool each_rank = false;
    std::shared_ptr<CaptureLedger> ledger;
    ForkMutex mutex;
    std::condition_variable_any changed;
    std::deque<PendingSnapshot> waiting;
    bool closed = false;
    bool done = false;
  };
  static void work(State& state) noexcept;
  void start_thread();

  // The thread's too: where it is stuck, it outlives the queue.
  const std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace opcov
