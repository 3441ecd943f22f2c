// What differs between two runs, signature by signature.
#pragma once

#include <cstdint>
#include <vector>

#include "report/diff_side.h"

namespace opcov {

/// A signature of one side or both; a null pointer where a side lacks it.
struct DiffPair {
  const DiffRow* a;
  const DiffRow* b;

  const Signature& signature() const { return (a != nullptr ? a : b)->signature; }
  std::uint64_t calls_a() const { return a != nullptr ? a->calls : 0; }
  std::uint64_t calls_b() const { return b != nullptr ? b->calls : 0; }
};

/// Points into the two sides. Each list begins with what weighs most: the most calls, the largest change.
struct Diff {
  std::vector<DiffPair> lost;             // of A alone
  std::vector<DiffPair> gained;           // of B alone
  std::vector<DiffPair> counts;           // of both, called more or less often
  std::vector<DiffPair> coverage_lost;    // of both, covered in A alone
  std::vector<DiffPair> coverage_gained;  // of both, covered in B alone

  bool empty() const {
    return lost.empty() && gained.empty() && counts.empty() && coverage_lost.empty() && coverage_gained.empty();
  }
};

/// Coverage is compared where both sides know theirs.
Diff diff(const DiffSide& a, const DiffSide& b);

}  // namespace opcov
