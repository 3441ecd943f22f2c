#include "report/near_misses.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>

namespace opcov {
namespace {

constexpr std::size_t kMostGroups = 256;
constexpr std::size_t kSmallGroup = 256;
constexpr std::size_t kMostOrders = 16;
constexpr std::size_t kNeighbours = 16;

std::vector<std::int64_t> sizes_of(const ComparedCall& call) {
  std::vector<std::int64_t> sizes;
  for (const CallPart& part : call.arguments) sizes.insert(sizes.end(), part.sizes.begin(), part.sizes.end());
  return sizes;
}

// Which size the order begins with: calls that differ in the sizes before it alone then stand side by side.
std::size_t first_size(std::size_t order, std::size_t orders, std::size_t sizes) { return order * sizes / orders; }

// Do the sizes, read from `first` on and round, come before the others?
bool before(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& others, std::size_t first) {
  const auto middle = [first](const auto& all) {
    return all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size()));
  };
  const auto order = std::lexicographical_compare_three_way(middle(sizes), sizes.end(), middle(others), others.end());
  if (order != 0) return order < 0;
  return std::lexicographical_compare(sizes.begin(), middle(sizes), others.begin(), middle(others));
}

}  // namespace

NearMisses::NearMisses(const SnapshotIndex& inputs) : inputs_(inputs) {
  for (const StatedCall& stated : inputs.stated()) {
    const Json signature = parse_strict(stated.text);
    calls_.push_back(compared_call(signature));
    const ComparedCall& call = calls_.back();
    sizes_.push_back(sizes_of(call));
    Operator& op = operators_[signature.at("op").get<std::string>()];
    op.groups[{call.arguments.size(), skeleton(call)}].places.push_back(calls_.size() - 1);
  }
  for (auto& [name, op] : operators_)
    for (auto& [key, group] : op.groups)
      if (group.places.size() > kSmallGroup) sort_by_sizes(group);
}

void NearMisses::sort_by_sizes(Group& group) const {
  const std::size_t count = sizes_[group.places.front()].size();
  const std::size_t orders = std::min(kMostOrders, count);
  for (std::size_t order = 0; order < orders; ++order) {
    const std::size_t first = first_size(order, orders, count);
    std::vector<Place>& places = group.orders.emplace_back(group.places);
    std::stable_sort(places.begin(), places.end(),
                     [&](Place a, Place b) { return before(sizes_[a], sizes_[b], first); });
  }
}

const NearMisses::WeightedGroups& NearMisses::nearest_groups(Operator& op, const ComparedCall& call) const {
  std::string own = skeleton(call);
  const auto known = op.nearest.find(own);
  if (known != op.nearest.end()) return known->second;
  auto begin = op.groups.lower_bound({call.arguments.size(), own});
  auto end = begin;
  for (std::size_t i = 0; i < kMostGroups / 2; ++i) {
    if (begin != op.groups.begin()) --begin;
    if (end != op.groups.end()) ++end;
  }
  WeightedGroups groups;
  for (auto at = begin; at != end; ++at)
    groups.emplace_back(skeleton_weight(call, calls_[at->second.places.front()]), &at->second);
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return op.nearest.emplace(std::move(own), std::move(groups)).first->second;
}

std::vector<NearMisses::Place> NearMisses::candidates(const Group& group, const ComparedCall& call) const {
  if (group.orders.empty())
    return {group.places.begin(),
            group.places.begin() + static_cast<std::ptrdiff_t>(std::min(kSmallGroup, group.places.size()))};
  const std::vector<std::int64_t> sizes = sizes_of(call);
  std::vector<Place> found;
  for (std::size_t order = 0; order < group.orders.size(); ++order) {
    const std::vector<Place>& places = group.orders[order];
    const std::size_t first = first_size(order, group.orders.size(), sizes_[places.front()].size());
    const auto at = std::lower_bound(places.begin(), places.end(), sizes,
                                     [&](Place place, const auto& own) { return before(sizes_[place], own, first); });
    const auto ahead = std::min<std::ptrdiff_t>(at - places.begin(), kNeighbours / 2);
    const auto behind = std::min<std::ptrdiff_t>(places.end() - at, kNeighbours / 2);
    found.insert(found.end(), at - ahead, at + behind);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<NearMiss> NearMisses::of(const Signature& signature, std::size_t most) {
  const auto op = operators_.find(signature.op);
  if (op == operators_.end() || most == 0) return {};
  const ComparedCall call = compared_call(signature.value());
  std::vector<std::pair<Distance, Place>> nearest;
  for (const auto& [weight, group] : nearest_groups(op->second, call)) {
    if (nearest.size() == most && weight > nearest.back().first.weight) break;
    for (const Place place : candidates(*group, call))
      nearest.emplace_back(distance(call, calls_[place], weight), place);
    std::sort(nearest.begin(), nearest.end());
    nearest.resize(std::min(nearest.size(), most));
  }
  std::vector<NearMiss> misses;
  for (const auto& [distance, place] : nearest)
    misses.push_back({inputs_[inputs_.stated()[place].places.front()], differences(call, calls_[place]),
                      skeleton_weight(call, calls_[place]) == 0});
  return misses;
}

}  // namespace opcov
