// The process's recorder: which recording is under way, and what a hook asks before it does anything.
//
// Threads: any. start(), stop() and the like take the process lock; a hook takes none but for a thread's first call in
// a recording and for a signature new to its thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/settings.h"
#include "intercept/call_key.h"
#include "intercept/hooked_op.h"
#include "intercept/stage_inheritance.h"
#include "intercept/thread_state.h"

namespace opcov {

class Session;

/// The recording that counts calls now; null without one and while it is paused. Only to be compared.
extern std::atomic<Session*> g_active;

inline bool is_active() { return g_active.load(std::memory_order_relaxed) != nullptr; }

/// True where every dispatch counts, also inside other operators (OPCOV_NESTED=1).
extern std::atomic<bool> g_nested;

/// The number of the recording's OPCOV_STAGE, for threads that have set none and work for none.
extern std::atomic<std::uint32_t> g_default_stage;

inline std::uint32_t present_stage(const ThreadState& thread) {
  if (thread.stage != 0) return thread.stage;
  if (g_stages_in_use.load(std::memory_order_relaxed))
    if (const std::uint32_t stage = inherited_stage(); stage != 0) return stage;
  return g_default_stage.load(std::memory_order_relaxed);
}

/// A thread's first look at a recording: see join_session().
Session* take_part(ThreadState& thread) noexcept;

/// Makes the thread take part in the present recording; null where there is none to take part in. The session stays
/// as long as the thread joins no other.
inline Session* join_session(ThreadState& thread) noexcept {
  Session* active = g_active.load(std::memory_order_acquire);
  return active == nullptr || thread.session == active ? active : take_part(thread);
}

/// The recording of this number, if the thread still takes part in it and it goes on.
Session* joined_session(ThreadState& thread, std::uint64_t serial) noexcept;

/// Counts a call that has run, of a signature new to the thread. To be asked first: joined_session(), with the
/// recording's number in which the call began; one that outlives it is dropped. False: it is one signature too many,
/// or the recording failed.
bool count_new_signature(ThreadState& thread, const HookedOp& op, std::uint32_t stage, const KeyView& key) noexcept;

namespace recorder {

/// Once, as the library is loaded and before anything else here: what a fork or the end of the process must find ready.
void prepare_process();

/// From now on start() throws std::runtime_error with this reason.
void refuse(const std::string& reason);

void start(const Settings& settings);
void stop() noexcept;
void pause() noexcept;
void resume() noexcept;
void flush() noexcept;
void reset() noexcept;
/// A notice for the present recording's record.
void note(const std::string& kind, std::uint64_t count, const std::string& text) noexcept;
bool recording() noexcept;
std::string record_file();
void set_rank(int rank, int world_size) noexcept;

}  // namespace recorder
}  // namespace opcov
