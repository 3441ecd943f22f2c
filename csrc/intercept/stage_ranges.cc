#include "intercept/stage_ranges.h"

#include <ATen/record_function.h>
#include <fnmatch.h>

#include <atomic>
#include <deque>
#include <memory>
#include <string>

#include "intercept/stages.h"
#include "intercept/thread_state.h"

namespace opcov::stage_ranges {
namespace {

struct Range {
  explicit Range(const StageRange& range)
      : stage(stage_id(range.stage)), glob(range.glob), entry(range.stage + "=" + range.glob) {}
  const std::uint32_t stage;
  const std::string glob;
  const std::string entry;
  mutable std::atomic<bool> matched{false};
};
using Ranges = std::deque<Range>;

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
    if (!range.matched.load(std::memory_order_relaxed)) range.matched.store(true, std::memory_order_relaxed);
    return std::make_unique<Entered>(thread_state(), enter_stage(range.stage));
  }
  return nullptr;
}

void leave(const at::RecordFunction&, at::ObserverContext* context) {
  const auto* entered = static_cast<const Entered*>(context);
  // A range may be ended by another thread than began it; that one's stage is its own.
  if (entered != nullptr && entered->thread == &thread_state()) leave_stage(entered->outer);
}

}  // namespace

void use(const std::vector<StageRange>& ranges) {
  if (ranges.empty()) {
    g_ranges.store(nullptr, std::memory_order_release);
    return;
  }
  auto* known = new Ranges;
  for (const StageRange& range : ranges) known->emplace_back(range);
  g_ranges.store(known, std::memory_order_release);
  static const auto handle =
      at::addGlobalCallback(at::RecordFunctionCallback(enter, leave).scopes({at::RecordScope::USER_SCOPE}));
  static_cast<void>(handle);
}

std::vector<std::string> unmatched() {
  std::vector<std::string> entries;
  if (const Ranges* ranges = g_ranges.load(std::memory_order_acquire))
    for (const Range& range : *ranges)
      if (!range.matched.load(std::memory_order_relaxed)) entries.push_back(range.entry);
  return entries;
}

}  // namespace opcov::stage_ranges
