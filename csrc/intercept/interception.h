// What every hook does with a dispatch: pass it on, guard it, or record it.
//
// A call is an object of boxed_call.h or typed_call.h. The path of a signature already met is here, to be inlined; what
// is rare is in interception.cc.
//
// Threads: any. Errors: the host's exceptions go on as they came; nothing else is thrown.
#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/core/InferenceMode.h>

#include <type_traits>
#include <utility>

#include "intercept/describe.h"
#include "intercept/hooked_op.h"
#include "intercept/hooks.h"
#include "intercept/nvtx_range.h"
#include "intercept/recorder.h"
#include "intercept/thread_state.h"

namespace opcov {

enum class Treatment { kPass, kGuard, kRecord };

/// Of any operator but a transparent one, on tensors that are no functionalization wrappers.
Treatment treatment_of(HookedOp& op, Role role, c10::DispatchKeySet keys, ThreadState& thread);

/// Tensors on which a composite operator does not come by whole: in grad mode it ends at an autograd key that is not
/// hooked.
inline bool is_taken_apart(c10::DispatchKeySet keys) {
  using c10::BackendComponent;
  using c10::DispatchKey;
  using c10::DispatchKeySet;
  constexpr auto bit = [](BackendComponent backend) { return 1ULL << (static_cast<unsigned>(backend) - 1); };
  constexpr auto kPlain =
      bit(BackendComponent::CPUBit) | bit(BackendComponent::CUDABit) | bit(BackendComponent::MetaBit);
  constexpr DispatchKeySet kOther = DispatchKeySet(DispatchKeySet::RAW, c10::full_backend_mask & ~kPlain) |
                                    DispatchKeySet({DispatchKey::NestedTensor, DispatchKey::MkldnnCPU});
  // Not has_any(), which in a debug build takes no set of backends and functionalities at once.
  return (keys.raw_repr() & kOther.raw_repr()) != 0 && !c10::InferenceMode::is_enabled();
}

/// One call that is recorded, from its arguments to its count.
class CallRecording {
 public:
  CallRecording(HookedOp& op, ThreadState& thread);

  /// False: the recording ended meanwhile.
  bool joined() const { return joined_; }

  /// False: a wrapper, which is left to run as it is.
  template <class Call>
  bool describe_arguments(const Call& call) {
    try {
      call.describe_arguments(stage_, description_);
    } catch (...) {
      failure_ = "its arguments cannot be described";
    }
    return !description_.wraps || wrapper();
  }

  /// Before it runs: it may write to its inputs.
  void capture_inputs() {
    if (thread_.capture != nullptr) [[unlikely]]
      copy_inputs();
  }

  template <class Call>
  typename Call::Result run(const Call& call) {
    try {
      const OpenRange range(thread_.ranges != nullptr && open_range());
      const DepthGuard guard(guards_ ? &thread_ : nullptr);
      return call.run();
    } catch (...) {
      raised();
      throw;
    }
  }

  template <class Call, class... Outputs>
  void finish(const Call& call, const Outputs&... outputs) {
    if (description_.is_fake) return;
    try {
      if (failure_ == nullptr) call.describe_outputs(outputs..., description_);
    } catch (...) {
      failure_ = "its output cannot be described";
    }
    count();
  }

 private:
  class OpenRange {
   public:
    explicit OpenRange(bool open) : open_(open) {}
    ~OpenRange() {
      if (open_) [[unlikely]]
        close_nvtx_range();
    }
    OpenRange(const OpenRange&) = delete;
    OpenRange& operator=(const OpenRange&) = delete;

   private:
    const bool open_;
  };

  bool wrapper();
  bool open_range() noexcept;
  void copy_inputs() noexcept;
  void raised() noexcept;
  void count() noexcept;
  bool is_counted(Session& session) const noexcept;

  HookedOp& op_;
  ThreadState& thread_;
  std::uint64_t serial_ = 0;
  std::uint32_t stage_ = 0;
  bool joined_ = false;
  bool guards_ = true;
  bool attempted_ = false;          // to capture its inputs
  bool unnamed_ = false;            // its NVTX range was
  std::size_t argument_words_ = 0;  // of the key; where inputs are captured or calls stand in ranges
  const char* failure_ = nullptr;
  CallDescription description_;
};

/// Runs a call and counts it.
template <class Call>
typename Call::Result record(HookedOp& op, const Call& call, ThreadState& thread) {
  if (call.asks_for_meta()) {
    const DepthGuard guard(&thread);
    return call.run();
  }
  CallRecording recording(op, thread);
  if (!recording.joined() || !recording.describe_arguments(call)) return call.run();
  recording.capture_inputs();
  if constexpr (std::is_void_v<typename Call::Result>) {
    recording.run(call);
    recording.finish(call);
  } else {
    typename Call::Result result = recording.run(call);
    recording.finish(call, result);
    return result;
  }
}

/// What to do with a dispatch. Nothing of Python runs inside the operators that have typed kernels, and what these call
/// is hidden where they are: of them less needs to be asked.
[[gnu::always_inline]] inline Treatment look_at(HookedOp& op, c10::DispatchKeySet keys, bool is_typed,
                                                ThreadState& thread) {
  if (thread.depth > 0 && !g_nested.load(std::memory_order_relaxed)) return Treatment::kPass;
  if (hooks::g_pending.load(std::memory_order_relaxed)) hooks::place_pending();
  const Role role = op.role.load(std::memory_order_acquire);
  if (role == Role::kTransparent) return Treatment::kPass;
  // The program's call is the one on the wrapper; its plain tensors come by here on their own.
  constexpr c10::DispatchKeySet kWrapper(c10::DispatchKey::Functionalize);
  if (keys.has_any(kWrapper)) return Treatment::kPass;
  if (!is_typed || role != Role::kGuard || op.is_watched() || is_taken_apart(keys))
    return treatment_of(op, role, keys, thread);
  hooks::note(hooks::kOperators);
  return Treatment::kGuard;
}

/// `run` is inlined in one place, so that a guard costs little; `record_call(thread)` had better not be.
template <class Run, class RecordCall>
decltype(auto) intercept(HookedOp& op, c10::DispatchKeySet keys, bool is_typed, const Run& run,
                         const RecordCall& record_call) {
  ThreadState* guarded = nullptr;
  if (is_active()) {
    ThreadState& thread = thread_state();
    const Treatment treatment = look_at(op, keys, is_typed, thread);
    if (treatment == Treatment::kRecord) return record_call(thread);
    if (treatment == Treatment::kGuard) guarded = &thread;
  }
  const DepthGuard guard(guarded);
  return run();
}

}  // namespace opcov
