#include "intercept/stage_inheritance.h"

#include <ATen/ThreadLocalPythonObjects.h>

#include <memory>
#include <string>

namespace opcov {

std::atomic<bool> g_stages_in_use{false};

namespace {

using at::impl::ThreadLocalPythonObjects;

/// An empty Python object, as the map wants one, with a stage beside it.
struct Stage : c10::SafePyObject {
  explicit Stage(std::uint32_t number) : SafePyObject(nullptr, nullptr), id(number) {}
  const std::uint32_t id;
};

std::string key() { return "opcov.stage"; }  // short enough to allocate nothing

}  // namespace

void hand_down_stage(std::uint32_t stage) noexcept try {
  g_stages_in_use.store(true, std::memory_order_relaxed);
  ThreadLocalPythonObjects::set(key(), std::make_shared<Stage>(stage));
} catch (...) {
  return;  // out of memory: the stage holds on this thread alone
}

std::uint32_t inherited_stage() noexcept try {
  if (!ThreadLocalPythonObjects::contains(key())) return 0;
  return static_cast<const Stage&>(*ThreadLocalPythonObjects::get(key())).id;
} catch (...) {
  return 0;
}

}  // namespace opcov
