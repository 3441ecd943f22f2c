#include "intercept/recorder.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "intercept/hooks.h"
#include "intercept/run_report.h"
#include "intercept/session.h"
#include "intercept/stage_ranges.h"
#include "intercept/stages.h"
#include "intercept/thread_counts.h"
#include "opcov/opcov.h"

namespace opcov {

std::atomic<Session*> g_active{nullptr};
std::atomic<bool> g_nested{false};
std::atomic<std::uint32_t> g_default_stage{0};

namespace {

struct Process {
  std::timed_mutex mutex;
  std::shared_ptr<Session> session;
  bool paused = false;
  std::uint64_t serials = 0;
  std::optional<RankInfo> given_rank;
};

Process& process() {
  static auto* state = new Process;  // never destroyed: threads may outlive main
  return *state;
}

using ProcessLock = std::unique_lock<std::timed_mutex>;

/// Hands a thread's counters back when it ends.
struct ThreadExit {
  ThreadState* thread = nullptr;
  ~ThreadExit() {
    if (thread == nullptr) return;
    thread->exiting = true;
    delete std::exchange(thread->counts, nullptr);
  }
};

void publish(Process& state) {
  const bool counts = state.session != nullptr && !state.paused && !state.session->ended();
  g_active.store(counts ? state.session.get() : nullptr, std::memory_order_release);
}

void begin(Process& state, Config config) {
  state.session = std::make_shared<Session>(std::move(config), ++state.serials, state.given_rank);
}

void end(Process& state, bool process_ends) noexcept {
  if (state.session == nullptr) return;
  g_active.store(nullptr, std::memory_order_release);
  const std::shared_ptr<Session> session = std::exchange(state.session, nullptr);
  if (session->ended()) return;  // it failed and has said so
  session->finish(run_notices(*session), process_ends);
}

void at_process_end() noexcept {
  // A signal handler may call exit() while this thread holds the lock: better no end line than a hang.
  ProcessLock lock(process().mutex, std::chrono::seconds(1));
  if (lock.owns_lock()) end(process(), /*process_ends=*/true);
}

// Locks in the order in which they nest elsewhere: process, session, hooks, stages.
void before_fork() {
  process().mutex.lock();
  if (process().session != nullptr) process().session->mutex().lock();
  hooks::mutex().lock();
  stage_mutex().lock();
}

void release_after_fork() {
  stage_mutex().unlock();
  hooks::mutex().unlock();
  if (process().session != nullptr) process().session->mutex().unlock();
  process().mutex.unlock();
}

void after_fork_in_child() {
  Process& state = process();
  const std::shared_ptr<Session> parents = state.session;
  release_after_fork();
  // The parent's counters are mapped here too: nothing in this process may touch them again, so they are left alone
  // for good, and this thread's counters with them.
  if (thread_state().counts != nullptr) thread_state().counts = nullptr;
  if (parents == nullptr) return;
  new std::shared_ptr<Session>(parents);
  begin(state, parents->config());
  hooks::forget_counts();
  publish(state);
}

void install_once() {
  static const bool installed = [] {
    pthread_atfork(before_fork, release_after_fork, after_fork_in_child);
    std::atexit(at_process_end);
    std::at_quick_exit(at_process_end);
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

Session* join_session(ThreadState& thread) noexcept {
  Session* active = g_active.load(std::memory_order_acquire);
  if (active == nullptr || thread.exiting) return active;
  if (thread.counts != nullptr && &thread.counts->session() == active) return active;
  try {
    std::shared_ptr<Session> session;
    {
      // `active` may be gone by now; what the lock shows is not.
      const ProcessLock lock(process().mutex);
      if (g_active.load(std::memory_order_acquire) == nullptr) return nullptr;
      session = process().session;
    }
    static thread_local ThreadExit at_thread_exit;
    at_thread_exit.thread = &thread;
    delete std::exchange(thread.counts, nullptr);
    thread.counts = new ThreadCounts(std::move(session));
    return &thread.counts->session();
  } catch (...) {
    return nullptr;
  }
}

void count_call(ThreadState& thread, std::uint64_t serial, const HookedOp& op, std::uint32_t stage,
                const CallKey& key) noexcept {
  ThreadCounts* counts = thread.counts;
  if (counts == nullptr || counts->session().serial() != serial || counts->session().ended()) return;
  const std::uint64_t hash = key.hash();
  std::uint64_t* counter = counts->find(key.data(), key.size(), hash);
  if (counter == nullptr) {
    const bool returns_input = key.data()[key.size() - 1] != 0;
    const auto known = counts->session().signature({key.data(), key.size(), hash, op.name, stage, returns_input});
    if (!known) {
      // It failed and turned itself off; a recording that was started meanwhile is none of its business.
      Session* failed = &counts->session();
      if (failed->ended()) g_active.compare_exchange_strong(failed, nullptr);
      return;
    }
    try {
      counter = counts->add(known->key, key.size(), hash, known->id);
    } catch (...) {
      counts->session().count_locked(known->id);
      return;
    }
  }
  ThreadCounts::increment(counter);
}

namespace recorder {

void start(const Settings& settings) {
  Settings all = settings_from_environment();
  all.insert(all.end(), settings.begin(), settings.end());
  Config config = parse_settings(all);
  // The program may change its working folder before its first recorded call.
  config.dir = absolute_path(config.dir);
  install_once();
  const ProcessLock lock(process().mutex);
  end(process(), /*process_ends=*/false);
  g_nested.store(config.nested, std::memory_order_relaxed);
  g_default_stage.store(stage_id(config.stage), std::memory_order_relaxed);
  stage_ranges::use(config.stage_ranges);
  hooks::use(config);
  begin(process(), std::move(config));
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
  if (process().session != nullptr) process().session->flush();
}

void reset() noexcept {
  const ProcessLock lock(process().mutex);
  Process& state = process();
  if (state.session == nullptr) return;
  g_active.store(nullptr, std::memory_order_release);
  const std::shared_ptr<Session> old = std::exchange(state.session, nullptr);
  old->discard();
  hooks::forget_counts();
  begin(state, old->config());
  publish(state);
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
