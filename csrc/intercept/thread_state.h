// What a thread carries for the recorder. Plain data, constant-initialised, so that a hook finds it with one look and
// nothing has to be constructed on the path of a call. Not in static TLS: beside torch there may be no room left.
#pragma once

#include <cstdint>

namespace opcov {

class ThreadCounts;

enum class ThreadKind : std::uint8_t {
  kUnknown,
  kHost,          // makes calls of the program
  kCommunication  // a c10d worker: its calls are the collective's own
};

struct ThreadState {
  std::uint32_t depth = 0;  // > 0: inside a call that counts for itself
  std::uint32_t stage = 0;
  ThreadKind kind = ThreadKind::kUnknown;
  ThreadCounts* counts = nullptr;  // of the recording it last counted for
};

extern thread_local constinit ThreadState t_state;

inline ThreadState& thread_state() { return t_state; }

/// Inside a call: dispatches of this thread do not count while one of these lives.
class DepthGuard {
 public:
  explicit DepthGuard(ThreadState& thread) : thread_(thread) { ++thread_.depth; }
  ~DepthGuard() { --thread_.depth; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  ThreadState& thread_;
};

/// By the name of the thread, which torch sets on its own; asked once a thread.
bool is_communication_thread(ThreadState& thread);

}  // namespace opcov
