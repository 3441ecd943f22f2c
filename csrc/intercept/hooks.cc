#include "intercept/hooks.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/op_selector.h"
#include "base/say.h"
#include "intercept/definition_hook.h"
#include "intercept/kernels.h"
#include "intercept/stages.h"

namespace opcov::hooks {

std::atomic<bool> g_pending{false};
std::atomic<unsigned> g_seen{0};

namespace {

struct Table {
  ForkMutex mutex;
  std::deque<HookedOp> ops;  // addresses stay
  std::unordered_map<std::string, HookedOp*> by_name;
  std::unordered_map<std::string, HookedOp*> without_autograd;  // hooked as they were defined
  std::deque<std::vector<std::uint32_t>> stage_lists;           // kept: a hook may be reading an old one
  std::unique_ptr<OpSelector> selector;
  std::unique_ptr<OpSelector> transparent;
  bool nested = false;
  bool typed = true;                      // as the first recording has it: hooks stay as they are
  std::vector<bool> matched;              // by entry of the selector
  std::vector<bool> transparent_matched;  // by entry of transparent
  std::optional<c10::RegistrationHandleRAII> listener;
  std::atomic<bool> listening{false};  // to new operators, no longer to those there were

  ForkMutex queue_mutex;  // taken under the dispatcher's lock: never hold it while calling the dispatcher
  std::vector<c10::OperatorName> queue;
};

// Never destroyed: kernels in the dispatcher point into it.
Table*& present_table() {
  static auto* hooks = new Table;
  return hooks;
}

Table& table() { return *present_table(); }

/// The dispatcher warns where we stand in for one of its own kernels; that is ours to know, not the user's.
class QuietWarnings : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

class Listener : public c10::OpRegistrationListener {
 public:
  void onOperatorRegistered(const c10::OperatorHandle& op) override;
  void onOperatorDeregistered(const c10::OperatorHandle&) override {}
};

std::string full_name(const c10::OperatorName& name) { return name.name + "." + name.overload_name; }

/// What the present recording wants of one operator; without a need its hook is not placed at all.
struct Choice {
  Role role = Role::kGuard;
  const std::vector<std::uint32_t>* stages = nullptr;
  bool transparent = false;
  bool needs_hook = true;
};

Choice choose(Table& hooks, const std::string& base, const std::string& overload) {
  Choice choice;
  const auto selection = hooks.selector->select(base, overload);
  for (const std::size_t entry : selection.entries) hooks.matched[entry] = true;
  const auto transparent = hooks.transparent->select(base, overload);
  for (const std::size_t entry : transparent.entries) hooks.transparent_matched[entry] = true;
  choice.transparent = hooks.nested || transparent.selected;
  if (selection.everywhere) {
    choice.role = Role::kRecord;
  } else if (selection.selected) {
    choice.role = Role::kRecordInStages;
    auto& stages = hooks.stage_lists.emplace_back();
    for (const std::string& stage : selection.stages) stages.push_back(stage_id(stage));
    choice.stages = &stages;
  } else {
    choice.role = choice.transparent ? Role::kTransparent : Role::kGuard;
    choice.needs_hook = !choice.transparent;
  }
  return choice;
}

void set_role(HookedOp& op, const Choice& choice) {
  op.stages.store(choice.stages, std::memory_order_release);
  op.transparent.store(choice.transparent, std::memory_order_relaxed);
  op.role.store(choice.role, std::memory_order_release);
}

/// The recorder's own operators are no calls of the program.
bool is_ours(const std::string& base) { return base.starts_with("opcov::"); }

/// The operator to place hooks for; null where it has them, or needs none.
HookedOp* add(Table& hooks, const c10::OperatorHandle& handle) {
  const c10::OperatorName& name = handle.operator_name();
  if (!handle.hasSchema() || is_ours(name.name)) return nullptr;
  const Choice choice = choose(hooks, name.name, name.overload_name);
  HookedOp*& known = hooks.by_name[full_name(name)];
  // An operator may be defined anew, with another schema: its old kernel describes what is no more.
  if (known != nullptr && known->describes(handle.schema())) {
    set_role(*known, choice);
    return nullptr;
  }
  // Its autograd hooks find at their next call that they have been replaced.
  if (known != nullptr) known->registrations.store(0, std::memory_order_release);
  if (known == nullptr && !choice.needs_hook) return nullptr;
  known = &hooks.ops.emplace_back(handle, static_cast<std::uint32_t>(hooks.ops.size()), hooks.typed);
  set_role(*known, choice);
  return known;
}

void hook(Table& hooks, const c10::OperatorHandle& handle) {
  if (HookedOp* op = add(hooks, handle)) {
    place_backend_select_kernel(*op);
    place_autograd_kernels(*op);
  } else if (const auto half = hooks.without_autograd.extract(full_name(handle.operator_name()))) {
    place_autograd_kernels(*half.mapped());
  }
}

void hook_quietly(Table& hooks, const c10::OperatorHandle& handle) {
  try {
    hook(hooks, handle);
  } catch (const std::exception& error) {
    say("cannot hook " + full_name(handle.operator_name()) + ": " + error.what());
  }
}

/// Under the dispatcher's lock and the table's.
void hook_at_definition(Table& hooks, const c10::OperatorHandle& op) {
  const std::string name = full_name(op.operator_name());
  const auto found = hooks.by_name.find(name);
  HookedOp* known = found == hooks.by_name.end() ? nullptr : found->second;
  // A BackendSelect kernel that is there already is the author's, or ours from before the operator was defined anew.
  if (known == nullptr && op.hasKernelForDispatchKey(c10::DispatchKey::BackendSelect)) return;
  QuietWarnings quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  if (HookedOp* added = add(hooks, op)) {
    place_kernel_at_definition(*added);
    hooks.without_autograd.insert_or_assign(name, added);
  } else if (known != nullptr) {
    // Defined anew as it was: its kernels may be others now.
    known->registrations.store(0, std::memory_order_release);
    if (known->autograd_hooks.empty()) hooks.without_autograd.insert_or_assign(name, known);
  }
}

void add_unmatched(const char* setting, const OpSelector& selector, const std::vector<bool>& matched,
                   std::vector<std::string>& entries) {
  for (std::size_t i = 0; i < matched.size(); ++i)
    if (!matched[i]) entries.push_back(std::string(setting) + " entry '" + selector.entries()[i] + "'");
}

void Listener::onOperatorRegistered(const c10::OperatorHandle& op) {
  Table& all = table();
  // The dispatcher's lock is held, and use() takes the two in the other order: never wait for ours here.
  std::unique_lock<ForkMutex> lock;
  if (all.listening) lock = std::unique_lock(all.mutex, std::try_to_lock);
  if (lock.owns_lock()) hook_at_definition(all, op);
  const std::lock_guard queue_lock(all.queue_mutex);
  all.queue.push_back(op.operator_name());
  g_pending.store(true, std::memory_order_release);
}

}  // namespace

void use(const Config& config) {
  Table& hooks = table();
  const std::lock_guard lock(hooks.mutex);
  QuietWarnings quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);

  hooks.selector = std::make_unique<OpSelector>(config.ops);
  hooks.matched.assign(config.ops.size(), false);
  hooks.transparent = std::make_unique<OpSelector>(config.transparent);
  hooks.transparent_matched.assign(config.transparent.size(), false);
  hooks.nested = config.nested;
  auto& dispatcher = c10::Dispatcher::singleton();
  if (!hooks.listening) {
    // Tells of every operator there is first, then of each new one.
    hooks.listener.emplace(dispatcher.addRegistrationListener(std::make_unique<Listener>()));
    hooks.listening = true;
    hooks.typed = config.typed;
    const std::lock_guard queue_lock(hooks.queue_mutex);
    hooks.queue.clear();
    g_pending.store(false, std::memory_order_release);
  }
  for (const c10::OperatorName& name : dispatcher.getAllOpNames())
    if (const auto handle = dispatcher.findSchema(name)) hook_quietly(hooks, *handle);
}

void place_pending() noexcept try {
  Table& hooks = table();
  const std::unique_lock lock(hooks.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;  // somebody is at it
  std::vector<c10::OperatorName> names;
  {
    const std::lock_guard queue_lock(hooks.queue_mutex);
    names.swap(hooks.queue);
    g_pending.store(false, std::memory_order_release);
  }
  QuietWarnings quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  for (const c10::OperatorName& name : names)
    if (const auto handle = c10::Dispatcher::singleton().findSchema(name)) hook_quietly(hooks, *handle);
} catch (const std::exception& error) {
  say(std::string("cannot hook an operator that was registered late: ") + error.what());
}

bool still_composite(HookedOp& op) {
  Table& hooks = table();
  const std::lock_guard lock(hooks.mutex);
  QuietWarnings quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  HookedOp* newest = hooks.by_name[full_name(op.handle.operator_name())];
  if (newest == nullptr) newest = &op;  // given up
  if (newest == &op && has_composite_kernels_only(op.handle, c10::DispatchKey::CPU) &&
      has_composite_kernels_only(op.handle, c10::DispatchKey::CUDA)) {
    op.registrations.store(registrations_of(op.handle), std::memory_order_release);
    return true;
  }
  op.autograd_hooks.clear();
  hooks.without_autograd.erase(full_name(op.handle.operator_name()));
  place_autograd_kernels(*newest);
  return false;
}

std::vector<LookAlike> look_alikes() {
  Table& hooks = table();
  const std::lock_guard lock(hooks.mutex);
  std::vector<LookAlike> found;
  for (const HookedOp& op : hooks.ops)
    if (const auto calls = op.unrecorded_calls.load(std::memory_order_relaxed); calls > 0)
      found.push_back({op.name, calls});
  return found;
}

std::vector<std::string> unmatched_entries() {
  Table& hooks = table();
  const std::lock_guard lock(hooks.mutex);
  std::vector<std::string> entries;
  add_unmatched("OPCOV_OPS", *hooks.selector, hooks.matched, entries);
  add_unmatched("OPCOV_TRANSPARENT", *hooks.transparent, hooks.transparent_matched, entries);
  return entries;
}

void forget_counts() {
  Table& hooks = table();
  const std::lock_guard lock(hooks.mutex);
  for (HookedOp& op : hooks.ops) op.unrecorded_calls.store(0, std::memory_order_relaxed);
  g_seen = 0;
}

void give_up_in_child() { present_table() = new Table; }

ForkMutex& mutex() { return table().mutex; }

ForkMutex& queue_mutex() { return table().queue_mutex; }

}  // namespace opcov::hooks
