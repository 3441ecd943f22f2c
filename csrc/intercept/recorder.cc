#include "intercept/recorder.h"

#include <pthread.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/say.h"
#include "intercept/blind_spots.h"
#include "intercept/call_ranges.h"
#include "intercept/capture/capture.h"
#include "intercept/fork_mutex.h"
#include "intercept/graph_calls.h"
#include "intercept/hooks.h"
#include "intercept/nvtx_range.h"
#include "intercept/run_report.h"
#include "intercept/session.h"
#include "intercept/stage_ranges.h"
#include "intercept/stages.h"
#include "intercept/thread_counts.h"
#include "intercept/where/where.h"
#include "opcov/opcov.h"

namespace opcov {

std::atomic<Session*> g_active{nullptr};
std::atomic<bool> g_nested{false};
std::atomic<std::uint32_t> g_default_stage{0};

namespace {

struct Process {
  ForkMutex mutex;
  std::shared_ptr<Session> session;
  bool paused = false;
  std::uint64_t serials = 0;
  std::string refusal;  // why this process cannot be recorded; empty where it can
  std::optional<RankInfo> given_rank;
};

Process* g_process = nullptr;  // made by prepare_process(); never destroyed: threads may outlive main

Process& process() { return *g_process; }

using ProcessLock = std::unique_lock<ForkMutex>;

void leave_session(ThreadState& thread) {
  thread.session = nullptr;
  delete std::exchange(thread.capture, nullptr);
  delete std::exchange(thread.ranges, nullptr);
  delete std::exchange(thread.counts, nullptr);
}

/// Hands a thread's counters back when it ends. By a key and not by a thread_local object, whose turn would come before
/// other such objects' destructors, and these may call operators still.
void at_thread_exit(void* thread) { leave_session(*static_cast<ThreadState*>(thread)); }

pthread_key_t g_thread_exit_key;

void watch_thread_exit(ThreadState& thread) {
  if (pthread_setspecific(g_thread_exit_key, &thread) != 0) throw std::bad_alloc();
}

void publish(Process& state) {
  const bool counts = state.session != nullptr && !state.paused && !state.session->ended();
  g_active.store(counts ? state.session.get() : nullptr, std::memory_order_release);
}

/// A new recording; what was seen before it is none of its.
void begin(Process& state, Config config, std::shared_ptr<const WantedCalls> wanted) {
  hooks::forget_counts();
  blind_spots::forget();
  state.session = std::make_shared<Session>(std::move(config), ++state.serials, state.given_rank, std::move(wanted));
}

void end(Process& state, bool process_ends) noexcept {
  if (state.session == nullptr) return;
  g_active.store(nullptr, std::memory_order_release);
  const std::shared_ptr<Session> session = std::exchange(state.session, nullptr);
  // One that failed has said so.
  session->finish(session->ended() ? std::vector<RunNotice>() : run_notices(*session), process_ends);
}

bool can_lock(ForkMutex& mutex) {
  const std::unique_lock lock(mutex, std::chrono::seconds(1));
  return lock.owns_lock();
}

void at_process_end() noexcept {
  // A signal handler may call exit() while this thread holds a lock, or another thread wait for a disk with it: better
  // no end line than a hang.
  const ProcessLock lock(process().mutex, std::chrono::seconds(1));
  if (!lock.owns_lock()) return;
  const auto& session = process().session;
  if (session != nullptr && can_lock(session->mutex()) && can_lock(hooks::mutex()) && can_lock(stage_mutex()))
    end(process(), /*process_ends=*/true);
}

thread_local constinit ForkLocks* t_fork_locks = nullptr;

void before_fork() noexcept try {
  using std::chrono::milliseconds;
  t_fork_locks = new ForkLocks;
  // In the order in which they nest elsewhere.
  const bool got_process = t_fork_locks->add(process().mutex, milliseconds(2000));
  t_fork_locks->add(graph_calls::mutex(), milliseconds(500));
  if (got_process && process().session != nullptr) t_fork_locks->add(process().session->mutex(), milliseconds(2000));
  // Placing hooks reads the dispatcher's tables; in a child made meanwhile these seem to be read for ever, and its exit
  // waits for the reader. No disk is waited for there.
  t_fork_locks->add(hooks::mutex(), milliseconds(60000));
  t_fork_locks->add(hooks::queue_mutex(), milliseconds(500));
  t_fork_locks->add(stage_mutex(), milliseconds(500));
} catch (...) {
  return;  // out of memory, as the fork will be
}

void release_after_fork() noexcept { delete std::exchange(t_fork_locks, nullptr); }

void after_fork_in_child() noexcept try {
  const bool complete = t_fork_locks != nullptr && t_fork_locks->complete();
  if (complete) t_fork_locks->in_child();
  // The parent's counters are mapped here too: nothing in this process may touch them again, so they are left alone
  // for good, and this thread's counters with them.
  thread_state().counts = nullptr;
  thread_state().session = nullptr;
  thread_state().capture = nullptr;
  thread_state().ranges = nullptr;
  if (!complete) {
    // A lock of ours may stay taken for ever, and what it guards half done: begun anew, all of it.
    g_active.store(nullptr, std::memory_order_release);
    g_process = new Process;
    hooks::give_up_in_child();
    give_up_stages_in_child();
    g_process->refusal = "this process was forked while the recorder was busy; recording is off in it";
    say(g_process->refusal + ", the program goes on");
    return;
  }
  Process& state = process();
  const std::shared_ptr<Session> parents = state.session;
  release_after_fork();
  if (parents == nullptr) return;
  new std::shared_ptr<Session>(parents);
  begin(state, parents->config(), parents->wanted());
  publish(state);
} catch (...) {
  g_active.store(nullptr, std::memory_order_release);
}

}  // namespace

Session* take_part(ThreadState& thread) noexcept {
  try {
    std::shared_ptr<Session> session;
    {
      // What was active may be gone by now; what the lock shows is not.
      const ProcessLock lock(process().mutex);
      if (g_active.load(std::memory_order_acquire) == nullptr) return nullptr;
      session = process().session;
    }
    watch_thread_exit(thread);
    leave_session(thread);
    thread.counts = new ThreadCounts(std::move(session));
    Session& joined = thread.counts->session();
    if (joined.capture() != nullptr) thread.capture = new CaptureThread(*joined.capture());
    if (joined.config().nvtx) thread.ranges = new CallRanges;
    thread.session = &joined;
    thread.serial = joined.serial();
    return &joined;
  } catch (...) {
    return nullptr;
  }
}

Session* joined_session(ThreadState& thread, std::uint64_t serial) noexcept {
  if (thread.counts == nullptr || thread.serial != serial) return nullptr;
  Session& session = thread.counts->session();
  return session.ended() ? nullptr : &session;
}

bool count_new_signature(ThreadState& thread, const HookedOp& op, std::uint32_t stage, const KeyView& key) noexcept {
  ThreadCounts& counts = *thread.counts;
  const bool returns_input = key.words[key.size - 1] != 0;
  const std::string where = where_of_new(counts.session(), key);
  const auto known = counts.session().signature({key, op.name, stage, returns_input, where});
  if (!known) {
    // It failed and turned itself off; a recording that was started meanwhile is none of its business.
    Session* failed = &counts.session();
    if (failed->ended()) g_active.compare_exchange_strong(failed, nullptr);
    return false;
  }
  try {
    ThreadCounts::increment(counts.add({known->key, key.size, key.hash}, known->id));
  } catch (...) {
    counts.session().count_locked(known->id);
  }
  return true;
}

namespace recorder {

void prepare_process() {
  g_process = new Process;
  hooks::mutex();
  graph_calls::mutex();
  stage_mutex();
  if (pthread_key_create(&g_thread_exit_key, at_thread_exit) != 0) throw std::bad_alloc();
  pthread_atfork(before_fork, release_after_fork, after_fork_in_child);
  std::atexit(at_process_end);
  std::at_quick_exit(at_process_end);
}

void refuse(const std::string& reason) {
  const ProcessLock lock(process().mutex);
  process().refusal = reason;
}

void start(const Settings& settings) {
  Settings all = settings_from_environment();
  all.insert(all.end(), settings.begin(), settings.end());
  Config config = parse_settings(all);
  if (config.nvtx && !has_nvtx())
    throw std::invalid_argument(
        "OPCOV_NVTX=1: this opcov was built without CUDA, and so without NVTX; build it with "
        "-DOPCOV_CUDA=ON, or unset OPCOV_NVTX");
  // The program may change its working folder before its first recorded call.
  config.dir = absolute_path(config.dir);
  config.capture.dir = absolute_path(config.capture.dir);
  const auto wanted = config.capture.on ? std::make_shared<const WantedCalls>(config.capture) : nullptr;
  const ProcessLock lock(process().mutex);
  if (!process().refusal.empty()) throw std::runtime_error(process().refusal);
  end(process(), /*process_ends=*/false);
  g_nested.store(config.nested, std::memory_order_relaxed);
  g_default_stage.store(stage_id(config.stage), std::memory_order_relaxed);
  stage_ranges::use(config.stage_ranges);
  hooks::use(config);
  begin(process(), std::move(config), wanted);
  process().paused = false;
  publish(process());
}

void stop() noexcept {
  const ProcessLock lock(process().mutex);
  end(process(), /*process_ends=*/false);
}

void pause() noexcept {
  const ProcessLock lock(process().mutex);
  process().paused = true;
  publish(process());
}

void resume() noexcept {
  const ProcessLock lock(process().mutex);
  process().paused = false;
  publish(process());
}

void flush() noexcept {
  const ProcessLock lock(process().mutex);
  if (process().session != nullptr) process().session->flush(blind_spots::notices());
}

void reset() noexcept {
  const ProcessLock lock(process().mutex);
  Process& state = process();
  if (state.session == nullptr) return;
  g_active.store(nullptr, std::memory_order_release);
  const std::shared_ptr<Session> old = std::exchange(state.session, nullptr);
  old->discard();
  begin(state, old->config(), old->wanted());
  publish(state);
}

void note(const std::string& kind, std::uint64_t count, const std::string& text) noexcept try {
  const ProcessLock lock(process().mutex);
  if (process().session != nullptr) process().session->note(kind, text, count);
} catch (...) {
  return;
}

bool recording() noexcept {
  const ProcessLock lock(process().mutex);
  return process().session != nullptr && !process().session->ended();
}

std::string record_file() {
  const ProcessLock lock(process().mutex);
  return process().session == nullptr ? "" : process().session->path();
}

void set_rank(int rank, int world_size) noexcept {
  if (rank < 0 || world_size < 0 || (world_size > 0 && rank >= world_size)) {
    say("rank " + std::to_string(rank) + " of " + std::to_string(world_size) + " cannot be; the rank stays as it was");
    return;
  }
  const ProcessLock lock(process().mutex);
  process().given_rank = RankInfo{rank, world_size};
  if (process().session != nullptr) process().session->set_rank(*process().given_rank);
}

}  // namespace recorder

// The public functions of opcov/opcov.h.
void start(const Settings& settings) { recorder::start(settings); }
void stop() noexcept { recorder::stop(); }
void pause() noexcept { recorder::pause(); }
void resume() noexcept { recorder::resume(); }
void flush() noexcept { recorder::flush(); }
void reset() noexcept { recorder::reset(); }
bool recording() noexcept { return recorder::recording(); }
std::string record_file() { return recorder::record_file(); }
void set_rank(int rank, int world_size) noexcept { recorder::set_rank(rank, world_size); }

}  // namespace opcov
