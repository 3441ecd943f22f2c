#include "report/diff.h"

#include <algorithm>

namespace opcov {
namespace {

std::uint64_t change(const DiffPair& pair) {
  const std::uint64_t a = pair.calls_a();
  const std::uint64_t b = pair.calls_b();
  return a > b ? a - b : b - a;
}

std::uint64_t most(const DiffPair& pair) { return std::max(pair.calls_a(), pair.calls_b()); }

void sort_by(std::vector<DiffPair>& pairs, std::uint64_t (*size)(const DiffPair&)) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [size](const DiffPair& x, const DiffPair& y) { return size(x) > size(y); });
}

void add_common(const DiffPair& pair, Diff& diff) {
  if (pair.a->calls != pair.b->calls) diff.counts.push_back(pair);
  if (!pair.a->covered || !pair.b->covered || *pair.a->covered == *pair.b->covered) return;
  (*pair.a->covered ? diff.coverage_lost : diff.coverage_gained).push_back(pair);
}

}  // namespace

Diff diff(const DiffSide& a, const DiffSide& b) {
  Diff diff;
  auto at = a.rows.begin();
  auto bt = b.rows.begin();
  while (at != a.rows.end() || bt != b.rows.end()) {
    if (bt == b.rows.end() || (at != a.rows.end() && at->signature.digest < bt->signature.digest))
      diff.lost.push_back({&*at++, nullptr});
    else if (at == a.rows.end() || bt->signature.digest < at->signature.digest)
      diff.gained.push_back({nullptr, &*bt++});
    else
      add_common({&*at++, &*bt++}, diff);
  }
  sort_by(diff.counts, change);
  for (auto* pairs : {&diff.lost, &diff.gained, &diff.coverage_lost, &diff.coverage_gained}) sort_by(*pairs, most);
  return diff;
}

}  // namespace opcov
