// Signatures that differ in one dynamic size alone, such as a sequence length or a batch: one line of the page's table.
//
// The size may stand at several places (all tensors of an attention have it), and the strides of slices and transposed
// tensors follow it; so does the output. Sizes of weights belong to the model and are no dynamic ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/coverage.h"

namespace opcov {

struct SizeFold {
  std::string call;  // on one line, N in the place of the size
  struct Member {
    std::size_t row;
    std::int64_t size;
  };
  std::vector<Member> members;  // two sizes at least, in the order of their sizes
};

/// Each row is in one fold at most; the largest folds come first.
std::vector<SizeFold> fold_sizes(const std::vector<CoverageRow>& rows);

}  // namespace opcov
