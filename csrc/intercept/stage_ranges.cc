#include "intercept/stage_ranges.h"

#include <ATen/record_function.h>
#include <fnmatch.h>

#include <atomic>
#include <memory>
#include <string>

#include "intercept/stages.h"
#include "intercept/thread_state.h"

namespace opcov::stage_ranges {
namespace {

struct Range {
  std::uint32_t stage;
  std::string glob;
};
using Ranges = std::vector<Range>;

// Old ones are kept: a thread may be looking through one.
std::atomic<const Ranges*> g_ranges{nullptr};

struct Entered : at::ObserverContext {
  Entered(ThreadState& of, std::uint32_t around) : thread(&of), outer(around) {}
  ThreadState* thread;
  std::uint32_t outer;
};

std::unique_ptr<at::ObserverContext> enter(const at::RecordFunction& function) {
  const Ranges* ranges = g_ranges.load(std::memory_order_acquire);
  if (ranges == nullptr) return nullptr;
  const char* name = function.name();
  for (const Range& range : *ranges) {
    if (fnmatch(range.glob.c_str(), name, FNM_NOESCAPE) != 0) continue;
    ThreadState& thread = thread_state();
    auto entered = std::make_unique<Entered>(thread, thread.stage);
    thread.stage = range.stage;
    return entered;
  }
  return nullptr;
}

void leave(const at::RecordFunction&, at::ObserverContext* context) {
  const auto* entered = static_cast<const Entered*>(context);
  // A range may be ended by another thread than began it; that one's stage is its own.
  if (entered != nullptr && entered->thread == &thread_state()) entered->thread->stage = entered->outer;
}

}  // namespace

void use(const std::vector<StageRange>& ranges) {
  if (ranges.empty()) {
    g_ranges.store(nullptr, std::memory_order_release);
    return;
  }
  auto* known = new Ranges;
  for (const StageRange& range : ranges) known->push_back({stage_id(range.stage), range.glob});
  g_ranges.store(known, std::memory_order_release);
  static const auto handle =
      at::addGlobalCallback(at::RecordFunctionCallback(enter, leave).scopes({at::RecordScope::USER_SCOPE}));
  static_cast<void>(handle);
}

}  // namespace opcov::stage_ranges
