#include "intercept/stages.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "intercept/stage_inheritance.h"
#include "intercept/thread_state.h"
#include "opcov/stage.h"

namespace opcov {
namespace {

struct StageTable {
  ForkMutex mutex;
  std::unordered_map<std::string, std::uint32_t> ids;
  std::vector<std::string> names = {""};
};

/// Beside the stage around: this thread did not enter it, but works for one that did.
constexpr std::uint32_t kInherited = 1U << 31U;

// Never destroyed: threads may outlive main.
StageTable*& present_table() {
  static auto* stages = new StageTable;
  return stages;
}

StageTable& table() { return *present_table(); }

}  // namespace

std::uint32_t stage_id(std::string_view name) {
  if (name.empty()) return 0;
  std::string clean(name);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '=' || c == ','; }, '_');
  StageTable& stages = table();
  const std::lock_guard lock(stages.mutex);
  const auto [found, is_new] = stages.ids.emplace(clean, static_cast<std::uint32_t>(stages.names.size()));
  if (is_new) stages.names.push_back(clean);
  return found->second;
}

std::string stage_name(std::uint32_t id) {
  StageTable& stages = table();
  const std::lock_guard lock(stages.mutex);
  return id < stages.names.size() ? stages.names[id] : "";
}

std::uint32_t enter_stage(std::uint32_t id) noexcept {
  ThreadState& thread = thread_state();
  const std::uint32_t own = thread.stage;
  const std::uint32_t outer = own != 0 ? own : inherited_stage() | kInherited;
  thread.stage = id;
  hand_down_stage(id);
  return outer;
}

void leave_stage(std::uint32_t outer) noexcept {
  const bool was_inherited = (outer & kInherited) != 0;
  thread_state().stage = was_inherited ? 0 : outer;
  hand_down_stage(outer & ~kInherited);
}

void give_up_stages_in_child() { present_table() = new StageTable; }

ForkMutex& stage_mutex() { return table().mutex; }

StageScope::StageScope(std::string_view name) noexcept : outer_(enter_stage(stage_id(name))) {}

StageScope::~StageScope() { leave_stage(outer_); }

}  // namespace opcov

std::uint32_t opcov_enter_stage(const char* name) noexcept { return opcov::enter_stage(opcov::stage_id(name)); }

void opcov_leave_stage(std::uint32_t outer) noexcept { opcov::leave_stage(outer); }
