// What a pickle describes, as a graph: nothing is imported, called or built. A call that unpickling would make is a
// node that says which function it is of and with which arguments.
//
// Nodes may be shared and may, through a list or a dict, contain themselves: whoever walks a graph limits how deep and
// how much. Names and strings are views into the pickle's bytes, which the graph owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opcov {

enum class PickleKind : std::uint8_t {
  kNone,
  kBool,
  kInt,
  kHugeInt,  // beyond 64 bits
  kFloat,
  kString,
  kBytes,
  kTuple,
  kList,
  kDict,        // items: key, value, key, value, ..
  kGlobal,      // items: module, name
  kCall,        // items: function, arguments; then each state that the pickle sets
  kPersistent,  // items: the id
};

using PickleId = std::uint32_t;

class PickleGraph {
 public:
  explicit PickleGraph(std::string bytes) : bytes_(std::move(bytes)) {}

  PickleId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }
  std::string_view bytes() const { return bytes_; }

  PickleKind kind(PickleId id) const { return nodes_[id].kind; }
  bool is(PickleId id, PickleKind kind) const { return nodes_[id].kind == kind; }
  const std::vector<PickleId>& items(PickleId id) const { return nodes_[id].items; }
  std::int64_t integer(PickleId id) const { return static_cast<std::int64_t>(nodes_[id].bits); }
  double real(PickleId id) const;
  std::string_view text(PickleId id) const;  // of a string or bytes

  /// "torch._utils._rebuild_tensor_v2": a global's module and name, the module as Python 3 names it.
  std::string global(PickleId id) const;

  /// The value of a string key, the last one as in Python; nullptr where there is none.
  const PickleId* find(PickleId dict, std::string_view key) const;

  // For the reader that builds it.
  PickleId add(PickleKind kind, std::uint64_t bits = 0, std::vector<PickleId> items = {});
  PickleId add_text(PickleKind kind, std::size_t offset, std::size_t bytes);
  std::vector<PickleId>& items(PickleId id) { return nodes_[id].items; }
  void set_root(PickleId id) { root_ = id; }

 private:
  struct Node {
    PickleKind kind;
    std::uint64_t bits;  // the number; where the text lies: offset << 32 | bytes
    std::vector<PickleId> items;
  };

  std::string bytes_;
  std::vector<Node> nodes_;
  PickleId root_ = 0;
};

}  // namespace opcov
