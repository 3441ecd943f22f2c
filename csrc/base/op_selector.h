// Which operators a list of OPCOV_OPS entries selects, and in which stages.
//
// An entry is `[STAGE=]GLOB` or `[STAGE=]@PRESET`. A glob without an overload means all overloads of the name;
// `aten.linear.default` is understood as `aten::linear.default`; `*` matches dots.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opcov {

class OpSelector {
 public:
  struct Selection {
    bool selected = false;             // by any entry
    bool everywhere = false;           // by an entry without a stage
    std::vector<std::string> stages;   // the stages of the others
    std::vector<std::size_t> entries;  // which entries matched
  };

  explicit OpSelector(const std::vector<std::string>& entries);

  /// name: "aten::linear"; overload: "" for the default one. Thread-safe.
  Selection select(std::string_view name, std::string_view overload) const;

  const std::vector<std::string>& entries() const { return entries_; }

  /// Throws std::invalid_argument on an entry that cannot be meant (an unknown preset, an empty stage or glob).
  static void check(const std::vector<std::string>& entries);

 private:
  struct Pattern {
    std::size_t entry;
    std::string stage;
    std::string glob;
  };
  std::vector<std::string> entries_;
  std::vector<Pattern> patterns_;
};

}  // namespace opcov
