#include "report/live_view.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace opcov {
namespace {

using ByRank = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t calls_of(const ByRank& calls, std::uint64_t rank) {
  const auto found = calls.find(rank);
  return found == calls.end() ? 0 : found->second;
}

class Rates {
 public:
  Rates(const LiveSample& before, const LiveSample& now, const std::vector<std::uint64_t>& ranks)
      : before_(before), ranks_(ranks), seconds_(std::chrono::duration<double>(now.at - before.at).count()) {}

  double seconds() const { return seconds_; }

  LiveRates of(SignaturePool::Index index, const ByRank& calls) const {
    static const ByRank none;
    const ByRank& earlier = index < before_.signatures.size() ? before_.signatures[index].by_rank : none;
    LiveRates rates;
    for (const std::uint64_t rank : ranks_) {
      const std::uint64_t so_far = calls_of(calls, rank);
      const std::uint64_t then = calls_of(earlier, rank);
      // Fewer than before: another recording has taken the file's name.
      const double more = so_far > then ? static_cast<double>(so_far - then) : 0;
      rates.by_rank.push_back({so_far, seconds_ > 0 ? more / seconds_ : 0});
      add(rates.by_rank.back(), rates.all);
    }
    return rates;
  }

  static void add(const LiveRate& rate, LiveRate& sum) {
    sum.calls += rate.calls;
    sum.per_second += rate.per_second;
  }

  static void add(const LiveRates& rates, LiveRates& sums) {
    add(rates.all, sums.all);
    sums.by_rank.resize(std::max(sums.by_rank.size(), rates.by_rank.size()));
    for (std::size_t i = 0; i < rates.by_rank.size(); ++i) add(rates.by_rank[i], sums.by_rank[i]);
  }

 private:
  const LiveSample& before_;
  const std::vector<std::uint64_t>& ranks_;
  double seconds_;
};

LiveCoverage coverage_of(SignaturePool::Index index, const LiveCalls& calls, LiveJob& job) {
  if (calls.returns_input) return LiveCoverage::kNoKernel;
  if (!job.compared()) return LiveCoverage::kNotCompared;
  return job.covered(index) ? LiveCoverage::kCovered : LiveCoverage::kUncovered;
}

}  // namespace

LiveView live_view(const LiveSample& before, const LiveSample& now, LiveJob& job) {
  LiveView view;
  for (const auto& [rank, ended] : now.ranks) {
    view.ranks.push_back(rank);
    view.ranks_ended.push_back(ended);
  }
  const Rates rates(before, now, view.ranks);
  view.seconds = rates.seconds();
  view.compared = job.compared();
  view.files = now.files;
  view.ended = now.ended;
  view.problems = now.problems;
  view.rates.by_rank.resize(view.ranks.size());
  std::map<std::pair<std::string, std::string>, LiveOperator> operators;
  for (std::size_t i = 0; i < now.signatures.size(); ++i) {
    const LiveCalls& calls = now.signatures[i];
    if (calls.by_rank.empty()) continue;
    const auto index = static_cast<SignaturePool::Index>(i);
    const Signature& signature = job.signature(index);
    view.signatures.push_back({&signature, coverage_of(index, calls, job), rates.of(index, calls.by_rank)});
    const LiveRates& own = view.signatures.back().rates;
    LiveOperator& op = operators[{signature.stage, signature.op}];
    op.signatures += 1;
    Rates::add(own, op.rates);
    Rates::add(own, view.rates);
  }
  for (auto& [key, op] : operators) {
    std::tie(op.stage, op.op) = key;
    view.operators.push_back(std::move(op));
  }
  const auto size = [](const LiveSignature& s) { return std::pair(s.rates.all.per_second, s.rates.all.calls); };
  std::sort(view.signatures.begin(), view.signatures.end(), [&](const LiveSignature& a, const LiveSignature& b) {
    return size(a) == size(b) ? a.signature->digest < b.signature->digest : size(a) > size(b);
  });
  return view;
}

}  // namespace opcov
