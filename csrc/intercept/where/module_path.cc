#include "intercept/where/module_path.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "intercept/where/short_text.h"

namespace opcov::python {
namespace {

constexpr std::size_t kMostLookedAt = 20'000;

struct Named {
  Object* module;
  std::string name;
};

/// Visits what `_modules` of a module holds; these outlive the look, for the GIL is kept.
template <class Visit>
void for_each_child(const Api& api, Object* module, Visit visit) {
  const Ref members(api, api.instance_dict(module, nullptr));
  if (!members) return;
  Object* children = api.dict_item(members.get(), "_modules");
  if (children == nullptr || !is_dict(api, children)) return;
  ssize_t at = 0;
  Object* key = nullptr;
  Object* child = nullptr;
  while (api.dict_next(children, &at, &key, &child) != 0) visit(key, child);
}

/// The name of `wanted` below `root`, level by level.
std::optional<std::string> name_below(const Api& api, Object* root, Object* wanted) {
  if (root == wanted) return std::string();
  std::deque<Named> waiting = {{root, ""}};
  std::unordered_set<Object*> seen = {root};
  std::optional<std::string> found;
  for (; !found && !waiting.empty(); waiting.pop_front()) {
    const std::string prefix = waiting.front().name.empty() ? "" : waiting.front().name + ".";
    for_each_child(api, waiting.front().module, [&](Object* key, Object* child) {
      if (found || seen.size() >= kMostLookedAt || !seen.insert(child).second) return;
      std::string name = prefix + text_of(api, key);
      if (child == wanted)
        found = std::move(name);
      else
        waiting.push_back({child, std::move(name)});
    });
  }
  return found;
}

std::string class_of(const Api& api, Object* object) {
  const Ref type(api, api.type_of(object));
  return type ? short_name(text_attribute(api, type.get(), "__name__")) : "";
}

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() || inner.empty() ? outer + inner : outer + "." + inner;
}

}  // namespace

void name_module(const Api& api, const std::vector<Ref>& modules, CallPlace& place) {
  std::vector<Named> around;  // from the present root on
  for (const Ref& module : modules) {
    std::optional<std::string> name;
    // Mostly the nearest holds it.
    for (auto outer = around.rbegin(); !name && outer != around.rend(); ++outer)
      if (const auto below = name_below(api, outer->module, module.get())) name = joined(outer->name, *below);
    if (!name) around.clear();
    around.push_back({module.get(), name.value_or("")});
  }
  if (around.empty()) return;
  place.root = class_of(api, around.front().module);
  place.module = short_path(around.back().name);
  place.module_class = class_of(api, around.back().module);
}

}  // namespace opcov::python
