// What differs between a call of the run and one that was profiled: in words, and as a number to rank by.
//
// The weights (docs/detail-format.md) follow what makes a kernel choose differently: a dtype, then the number of
// dimensions, then the layout in memory, then sizes, then other values. No sizes of one tensor outweigh its layout.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "report/call_parts.h"

namespace opcov {

struct Difference {
  std::string where;  // "arg 0", "kwarg dtype", "output", "stage"
  std::string what;   // "dtype", "dimensions", "dim 1", "stride", "layout", "presence", "items", "value", "stage"
  std::string run;    // in words, as is the next
  std::string snapshot;

  /// `arg 0 dim 1: 2640 in the run, 1170 in the snapshot`.
  std::string text() const;
};

struct Distance {
  std::uint64_t weight = 0;  // of what differs
  std::uint64_t sizes = 0;   // how many sizes differ
  double elements = 0;       // by how many elements, over all tensors
  bool stage = false;        // another stage

  auto operator<=>(const Distance&) const = default;
};

/// A call with its parts, taken apart once.
struct ComparedCall {
  std::vector<CallPart> arguments;
  std::vector<CallPart> output;
  bool states_output = true;
  bool states_stage = true;
  std::string stage;
};

ComparedCall compared_call(const Json& signature);

/// `skeletons`: skeleton_weight() of the two, which is that of every snapshot with this one's skeleton.
Distance distance(const ComparedCall& run, const ComparedCall& snapshot, std::uint64_t skeletons);

/// What kernels are chosen by, apart from sizes and values: calls of one operator with equal shapes of call differ in
/// these alone.
std::string skeleton(const ComparedCall& call);

/// The weight of what differs in the skeletons: never more than distance().weight.
std::uint64_t skeleton_weight(const ComparedCall& run, const ComparedCall& snapshot);

/// Arguments first, the output next, the stage last. Empty where all that the snapshot states is equal.
std::vector<Difference> differences(const ComparedCall& run, const ComparedCall& snapshot);

}  // namespace opcov
