#include "report/coverage.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "base/error.h"

namespace opcov {
namespace {

void add_checked(std::uint64_t& sum, std::uint64_t count, const std::string& path) {
  if (count > INT64_MAX - sum)
    throw bad_input(path + ": its counts take the sum over all files beyond 2^63-1; a count there must be wrong");
  sum += count;
}

std::vector<StageTotals> totals_by_stage(const std::vector<CoverageRow>& rows) {
  std::vector<StageTotals> stages;
  for (const CoverageRow& row : rows) {
    if (stages.empty() || stages.back().stage != row.signature.stage) stages.push_back({.stage = row.signature.stage});
    StageTotals& stage = stages.back();
    stage.signatures += 1;
    stage.calls += row.calls;
    if (!row.covered()) continue;
    stage.covered_signatures += 1;
    stage.covered_calls += row.calls;
  }
  return stages;
}

}  // namespace

void CoverageBuilder::add(const RecordFile& file) {
  coverage_.sources.push_back({file.path, file.sha256});
  bool clean = !file.segments.empty();
  for (const Segment& segment : file.segments) {
    add(segment, file.path);
    clean = clean && segment.ending == Ending::kClean;
  }
  if (!clean) coverage_.remarks.no_clean_end.push_back(file.path);
}

CoverageBuilder::Sum& CoverageBuilder::sum_of(SignaturePool::Index signature) {
  if (signature >= sums_.size()) sums_.resize(signature + std::size_t{1});
  return sums_[signature];
}

void CoverageBuilder::add(const Segment& segment, const std::string& path) {
  for (const SignatureCalls& entry : segment.signatures) {
    if (entry.calls == 0) continue;  // its first call was cut off, or raised
    Sum& sum = sum_of(entry.signature);
    add_checked(coverage_.calls, entry.calls, path);
    sum.calls += entry.calls;
    sum.by_rank.add(segment.rank, entry.calls);
    sum.returns_input = sum.returns_input && entry.returns_input;
  }
  for (const auto& [signature, place] : segment.places) sum_of(signature).places.add(place);
  coverage_.ranks.insert(segment.rank);
  coverage_.world_size = std::max(coverage_.world_size, segment.world_size);
  ++coverage_.segments;
  coverage_.launches = std::max(coverage_.launches, ++segments_of_ranks_[segment.rank]);
  coverage_.facts.add(segment.header);
  RecorderRemarks& remarks = coverage_.remarks;
  for (const Notice& notice : segment.notices)
    add_checked(remarks.notices[{notice.kind, notice.text}], notice.count, path);
  for (const auto& [op, count] : segment.raised) add_checked(remarks.raised[op], count, path);
  add_checked(remarks.unrecorded, segment.unrecorded, path);
}

Coverage CoverageBuilder::finish(const SnapshotIndex& snapshots) {
  std::deque<Signature> signatures = pool_.take();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    Sum& sum = sums_[i];
    if (sum.calls == 0) continue;
    std::vector<ProfiledInput> matches = snapshots.matches(signatures[i]);
    coverage_.rows.push_back({std::move(signatures[i]), sum.calls, sum.by_rank.take(), sum.returns_input,
                              std::move(matches), std::move(sum.places)});
  }
  std::sort(coverage_.rows.begin(), coverage_.rows.end(), [](const CoverageRow& a, const CoverageRow& b) {
    return std::tie(a.signature.stage, b.calls, a.signature.digest) <
           std::tie(b.signature.stage, a.calls, b.signature.digest);
  });
  coverage_.stages = totals_by_stage(coverage_.rows);
  coverage_.manifests = snapshots.manifests();
  coverage_.snapshots = snapshots.size();
  return std::move(coverage_);
}

}  // namespace opcov
