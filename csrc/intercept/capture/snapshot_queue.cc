#include "intercept/capture/snapshot_queue.h"

#include <pthread.h>

#include <mutex>
#include <utility>

#include "base/all_signals_blocked.h"
#include "base/say.h"
#include "intercept/capture/snapshot_file.h"

namespace opcov {
namespace {

void write(SnapshotFolder& folder, PendingSnapshot& pending, CaptureLedger& ledger) {
  const auto failed = [&](const std::string& reason) {
    ledger.failed(pending.digest, pending.bytes, pending.name, reason);
  };
  if (ledger.broken()) return failed("capturing ended, for a snapshot could not be written");
  try {
    if (pending.complete) pending.complete(pending.snapshot.storages);
    const bool written = folder.write(pending.snapshot, pending.world_size, pending.digest);
    ledger.written(pending.digest, pending.bytes, /*there=*/!written);
  } catch (const NotKept& error) {
    failed(error.what());
  } catch (const Error& error) {
    failed(error.what());
    if (ledger.give_up()) say(std::string(error.what()) + "; capturing is off, the recording goes on");
  } catch (const std::exception& error) {
    failed(std::string("its values could not be had: ") + error.what());
  }
}

}  // namespace

SnapshotQueue::SnapshotQueue(const CaptureConfig& config, std::shared_ptr<CaptureLedger> ledger)
    : state_(std::make_shared<State>()) {
  state_->dir = config.dir;
  state_->each_rank = config.each_rank;
  state_->ledger = std::move(ledger);
}

void SnapshotQueue::work(State& state) noexcept try {
  SnapshotFolder folder(state.dir, state.each_rank);
  std::unique_lock lock(state.mutex);
  for (;;) {
    state.changed.wait(lock, [&state] { return state.closed || !state.waiting.empty(); });
    if (state.waiting.empty()) break;
    {
      PendingSnapshot pending = std::move(state.waiting.front());
      state.waiting.pop_front();
      lock.unlock();
      write(folder, pending, *state.ledger);
    }
    lock.lock();
  }
  state.done = true;
  state.changed.notify_all();
} catch (...) {
  return;  // out of memory: what waits is left out when the queue ends
}

void SnapshotQueue::start_thread() {
  const AllSignalsBlocked blocked;
  thread_ = std::thread([state = state_] {
    pthread_setname_np(pthread_self(), "opcov-capture");
    work(*state);
  });
}

void SnapshotQueue::push(PendingSnapshot pending) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closed) throw NotCaptured("called when the recording ended", false);
    if (!thread_.joinable()) start_thread();
    state_->waiting.push_back(std::move(pending));
  }
  state_->changed.notify_all();
}

void SnapshotQueue::finish(std::chrono::milliseconds patience) noexcept try {
  // A signal handler may have called exit() where this thread holds the lock.
  std::unique_lock lock(state_->mutex, std::chrono::seconds(1));
  if (!lock.owns_lock()) {
    if (thread_.joinable()) thread_.detach();
    return;
  }
  state_->closed = true;
  state_->changed.notify_all();
  if (!thread_.joinable()) return;
  const bool done = state_->changed.wait_for(lock, patience, [this] { return state_->done; });
  for (const PendingSnapshot& left : state_->waiting)
    state_->ledger->failed(left.digest, left.bytes, left.name, "not written yet when the recording ended");
  state_->waiting.clear();
  lock.unlock();
  done ? thread_.join() : thread_.detach();
} catch (...) {
  return;  // out of memory at the end: nothing to be done
}

}  // namespace opcov
