// The profiled inputs that are nearest to a call that none of them covers.
//
// Only inputs of the call's operator are near. Work is bounded, so that many calls beside many inputs take time that
// grows with their number and not with its square: at most 256 groups of inputs alike in dtypes, dimensions and layouts
// are looked at, and of a group that has more than 256 inputs those whose sizes sort beside the call's, 16 in each of
// at most 16 orders. Threads: one object belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/manifest.h"
#include "report/difference.h"

namespace opcov {

struct NearMiss {
  ProfiledInput input;  // the first of those of this structure
  std::vector<Difference> differences;
  bool in_sizes_alone;  // or in other values: dtypes, dimensions and layouts are the call's
};

class NearMisses {
 public:
  /// `inputs` must outlive this.
  explicit NearMisses(const SnapshotIndex& inputs);

  /// The nearest first, at most so many; of equal ones those that were added first.
  std::vector<NearMiss> of(const Signature& signature, std::size_t most = 3);

 private:
  using Place = std::size_t;  // in the index's stated()
  struct Group {
    std::vector<Place> places;
    std::vector<std::vector<Place>>
        orders;  // the same by their sizes, each from another size on; of large groups alone
  };
  using WeightedGroups = std::vector<std::pair<std::uint64_t, const Group*>>;
  struct Operator {
    std::map<std::pair<std::size_t, std::string>, Group> groups;  // by the number of parts and the skeleton
    std::unordered_map<std::string, WeightedGroups> nearest;      // by a call's skeleton
  };

  void sort_by_sizes(Group& group) const;
  const WeightedGroups& nearest_groups(Operator& op, const ComparedCall& call) const;
  std::vector<Place> candidates(const Group& group, const ComparedCall& call) const;

  const SnapshotIndex& inputs_;
  std::vector<ComparedCall> calls_;               // of the index's stated()
  std::vector<std::vector<std::int64_t>> sizes_;  // of their tensors
  std::unordered_map<std::string, Operator> operators_;
};

}  // namespace opcov
