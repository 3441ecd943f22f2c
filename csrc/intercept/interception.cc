#include "intercept/interception.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "intercept/blind_spots.h"
#include "intercept/call_ranges.h"
#include "intercept/capture/call_capture.h"
#include "intercept/graph_calls.h"
#include "intercept/run_facts.h"
#include "intercept/session.h"
#include "intercept/thread_counts.h"

namespace opcov {

constexpr std::uint32_t kCudaBit = 1U << static_cast<std::uint8_t>(c10::DeviceType::CUDA);

graph_calls::Question graph_calls::g_question = {kCudaBit, is_capturing_graph};

/// A dispatch that a Python mode would not see, whoever made it: see docs/design.md.
static bool is_hidden(ThreadState& thread) {
  return c10::impl::tls_local_dispatch_key_set().excluded_.has(c10::DispatchKey::Python) ||
         is_communication_thread(thread) || in_parallel_region();
}

Treatment treatment_of(HookedOp& op, Role role, c10::DispatchKeySet keys, ThreadState& thread) {
  if (!g_nested.load(std::memory_order_relaxed) && is_hidden(thread)) return Treatment::kPass;
  hooks::note(hooks::kOperators);
  if (is_taken_apart(keys)) blind_spots::count(blind_spots::Kind::kOtherBackend);
  if (op.collective)
    if (Session* session = join_session(thread)) session->learn_rank();
  const bool selected =
      role == Role::kRecord || (role == Role::kRecordInStages && op.records_in(present_stage(thread)));
  if (!selected) {
    if (role == Role::kRecordInStages) hooks::note(hooks::kOtherStage);
    // Backward of a linear that was recorded makes mm of its own: nothing is hidden there.
    if (op.look_alike && !in_backward()) op.unrecorded_calls.fetch_add(1, std::memory_order_relaxed);
    return Treatment::kGuard;
  }
  if (keys.has_backend(c10::BackendComponent::MetaBit)) return Treatment::kGuard;
  return Treatment::kRecord;
}

CallRecording::CallRecording(HookedOp& op, ThreadState& thread) : op_(op), thread_(thread) {
  if (join_session(thread) == nullptr) return;
  joined_ = true;
  serial_ = thread.serial;
  stage_ = present_stage(thread);
  guards_ = !op.transparent.load(std::memory_order_relaxed);
}

bool CallRecording::wrapper() {
  if (op_.composite.load(std::memory_order_relaxed) && !c10::InferenceMode::is_enabled() && !is_tracing())
    blind_spots::count(blind_spots::Kind::kSubclass);
  return false;
}

void CallRecording::copy_inputs() noexcept {
  argument_words_ = description_.key.size();
  if (failure_ == nullptr) attempted_ = call_capture::begin(thread_, op_, stage_, description_);
}

bool CallRecording::open_range() noexcept {
  if (description_.is_fake) return false;
  argument_words_ = description_.key.size();
  unnamed_ = !thread_.ranges->open(description_.key.view(), op_.name, stage_);
  return true;
}

void CallRecording::raised() noexcept {
  if (description_.is_fake) return;
  if (Session* same = joined_session(thread_, serial_)) {
    same->raised(op_.name);
    if (attempted_) call_capture::drop(thread_);
  }
}

void CallRecording::count() noexcept {
  Session* session = joined_session(thread_, serial_);
  if (session == nullptr) return;
  if (!is_counted(*session)) {
    if (attempted_) call_capture::drop(thread_);
    return;
  }
  const KeyView key = description_.key.view();
  if (graph_calls::is_captured(description_.devices)) {
    graph_calls::add(*session, op_, stage_, key);
    if (attempted_)
      call_capture::end(thread_, op_, stage_, description_.key, argument_words_, attempted_, /*is_new=*/false,
                        *session);
    return;
  }
  std::uint64_t* counter = thread_.counts->find(key);
  if (counter != nullptr) ThreadCounts::increment(counter);
  const bool is_new = counter == nullptr && count_new_signature(thread_, op_, stage_, key);
  if (counter == nullptr && !is_new) [[unlikely]] {
    // In no row of a report: a signature past OPCOV_MAX_SIGNATURES, or one that could not be written.
    if (attempted_ && !session->ended()) call_capture::drop(thread_);
    return;
  }
  if (unnamed_ && thread_.ranges != nullptr) [[unlikely]]
    thread_.ranges->learn(description_.key.begin_of(argument_words_), key, op_.name, stage_);
  if (thread_.capture != nullptr) [[unlikely]]
    call_capture::end(thread_, op_, stage_, description_.key, argument_words_, attempted_, is_new, *session);
}

bool CallRecording::is_counted(Session& session) const noexcept {
  if (description_.wraps || description_.is_fake) return false;
  if (failure_ != nullptr) {
    session.undescribed(op_.name, failure_);
    return false;
  }
  if (const auto wanted = session.devices(); wanted != 0 && (description_.devices & wanted) == 0) {
    hooks::note(hooks::kOtherDevice);
    return false;
  }
  return true;
}

}  // namespace opcov
