#include "intercept/capture/call_capture.h"

#include <chrono>
#include <exception>
#include <utility>

#include "intercept/capture/capture.h"
#include "intercept/capture/save_tensors.h"
#include "intercept/stages.h"

namespace opcov::call_capture {
namespace {

void copy(const CallDescription& call, CaptureThread& thread, CaptureAttempt& attempt) {
  Capture& capture = thread.capture;
  const auto before = std::chrono::steady_clock::now();
  try {
    attempt.copied = copy_tensors(call.inputs, capture.values(), capture.ledger());
  } catch (const NotCaptured& reason) {
    attempt.refusal = reason.what();
    attempt.for_good = reason.for_good;
  } catch (const std::exception& error) {
    attempt.refusal = std::string("its inputs cannot be copied: ") + error.what();
  }
  capture.ledger().add_wait(std::chrono::steady_clock::now() - before);
}

}  // namespace

bool begin(ThreadState& state, const HookedOp& op, std::uint32_t stage, const CallDescription& call) noexcept try {
  CaptureThread& thread = *state.capture;
  const KeyView arguments = call.key.view();
  if (thread.is_settled(arguments)) return false;
  // A symbol among the arguments: somebody traces.
  if (call.is_fake) return false;
  const std::string stage_text = stage_name(stage);
  bool settled = false;
  CaptureAttempt attempt;
  attempt.arguments = thread.capture.begin(arguments, {op.base, op.overload, op.name, stage_text}, settled);
  if (settled) thread.settle(arguments);
  if (attempt.arguments == nullptr) return false;
  attempt.key.assign(arguments.words, arguments.words + arguments.size);
  const DepthGuard guard(&state);
  copy(call, thread, attempt);
  thread.attempts.push_back(std::move(attempt));
  return true;
} catch (...) {
  return false;  // out of memory
}

static CaptureAttempt last_attempt(CaptureThread& thread) {
  CaptureAttempt attempt = std::move(thread.attempts.back());
  thread.attempts.pop_back();
  return attempt;
}

void drop(ThreadState& state) noexcept { state.capture->capture.drop(last_attempt(*state.capture)); }

void end(ThreadState& state, const HookedOp& op, std::uint32_t stage, const CallKey& key, std::size_t arguments,
         bool began, bool is_new, Session& session) noexcept try {
  if (!began && !is_new) return;
  CaptureThread& thread = *state.capture;
  const std::string stage_text = stage_name(stage);
  const CallNames names{op.base, op.overload, op.name, stage_text};
  if (began)
    thread.capture.finish(last_attempt(thread), key.view(), names, session.rank());
  else
    thread.capture.met(key.begin_of(arguments), key.view(), names);
} catch (...) {
  return;  // out of memory
}

}  // namespace opcov::call_capture
