#include "snapshot/pickle_graph.h"

#include <bit>
#include <utility>

namespace opcov {

double PickleGraph::real(PickleId id) const { return std::bit_cast<double>(nodes_[id].bits); }

std::string_view PickleGraph::text(PickleId id) const {
  const std::uint64_t place = nodes_[id].bits;
  return std::string_view(bytes_).substr(place >> 32U, place & 0xFFFFFFFFU);
}

std::string PickleGraph::global(PickleId id) const {
  const std::string_view module = text(nodes_[id].items[0]);
  // torch.save writes pickles that Python 2 could read.
  std::string name(module == "__builtin__" ? "builtins" : module);
  return name.append(".").append(text(nodes_[id].items[1]));
}

const PickleId* PickleGraph::find(PickleId dict, std::string_view key) const {
  const PickleId* value = nullptr;
  const std::vector<PickleId>& items = nodes_[dict].items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (is(items[i], PickleKind::kString) && text(items[i]) == key) value = &items[i + 1];
  return value;
}

PickleId PickleGraph::add(PickleKind kind, std::uint64_t bits, std::vector<PickleId> items) {
  nodes_.push_back({kind, bits, std::move(items)});
  return static_cast<PickleId>(nodes_.size() - 1);
}

PickleId PickleGraph::add_text(PickleKind kind, std::size_t offset, std::size_t bytes) {
  return add(kind, std::uint64_t{offset} << 32U | bytes);
}

}  // namespace opcov
