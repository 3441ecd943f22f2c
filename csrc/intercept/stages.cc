#include "intercept/stages.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "intercept/thread_state.h"
#include "opcov/stage.h"

namespace opcov {
namespace {

struct StageTable {
  std::mutex mutex;
  std::unordered_map<std::string, std::uint32_t> ids;
  std::vector<std::string> names = {""};
};

StageTable& table() {
  static auto* stages = new StageTable;  // never destroyed: threads may outlive main
  return *stages;
}

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

std::mutex& stage_mutex() { return table().mutex; }

StageScope::StageScope(std::string_view name) noexcept : outer_(thread_state().stage) {
  thread_state().stage = stage_id(name);
}

StageScope::~StageScope() { thread_state().stage = outer_; }

}  // namespace opcov

std::uint32_t opcov_enter_stage(const char* name) noexcept {
  const std::uint32_t outer = opcov::thread_state().stage;
  opcov::thread_state().stage = opcov::stage_id(name);
  return outer;
}

void opcov_leave_stage(std::uint32_t outer) noexcept { opcov::thread_state().stage = outer; }
