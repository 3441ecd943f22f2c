// What a thread carries for the recorder. Plain data, constant-initialised, so that a hook finds it with one look and
// nothing has to be constructed on the path of a call. Not in static TLS: beside torch there may be no room left.
#pragma once

#include <cstdint>

namespace opcov {

class Session;
class ThreadCounts;
struct CaptureThread;
class CallRanges;

enum class ThreadKind : std::uint8_t {
  kUnknown,
  kHost,          // makes calls of the program
  kCommunication  // a c10d worker: its calls are the collective's own
};

struct ThreadState {
  std::uint32_t depth = 0;  // > 0: inside a call that counts for itself
  std::uint32_t stage = 0;
  ThreadKind kind = ThreadKind::kUnknown;
  // The recording it last counted for: its counters, which keep it alive, itself, to be compared, and its number.
  ThreadCounts* counts = nullptr;
  const Session* session = nullptr;
  std::uint64_t serial = 0;
  CaptureThread* capture = nullptr;  // where the recording captures inputs
  CallRanges* ranges = nullptr;      // where calls stand in NVTX ranges
};

extern thread_local constinit ThreadState t_state;

inline ThreadState& thread_state() {
  ThreadState* state = &t_state;
  // The compiler must not know what it holds: it would look the address up anew at each use.
  asm("" : "+r"(state));
  return *state;
}

/// Inside a call: dispatches of this thread do not count while one of these lives. Does nothing for null.
class DepthGuard {
 public:
  explicit DepthGuard(ThreadState* thread) : thread_(thread) {
    if (thread_ != nullptr) ++thread_->depth;
  }
  ~DepthGuard() {
    if (thread_ != nullptr) --thread_->depth;
  }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  ThreadState* const thread_;
};

/// By the name of the thread, which torch sets on its own; asked once a thread.
bool is_communication_thread(ThreadState& thread);

}  // namespace opcov
