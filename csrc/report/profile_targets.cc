#include "report/profile_targets.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "format/canonical_json.h"
#include "format/manifest.h"
#include "report/load.h"
#include "snapshot/random_access_file.h"
#include "snapshot/snapshot_files.h"
#include "snapshot/snapshot_index.h"

namespace opcov {
namespace {

constexpr std::size_t kShortestPrefix = 4;
constexpr std::size_t kMostCandidates = 5;

/// What is known of a signature from records, report and snapshots together.
struct KnownCall {
  Signature signature;
  std::uint64_t rank = 0;
  bool recorded = false;
  bool returns_input = false;
};

using KnownCalls = std::map<std::string, KnownCall>;

/// As opcov-replay names it.
std::string range_of(const Json& signature, const std::string& digest) {
  return signature.value("stage", std::string()) + "/" + signature.at("op").get<std::string>() + "/" +
         digest.substr(0, kShortDigest);
}

class GivenSnapshots {
 public:
  explicit GivenSnapshots(const std::vector<std::string>& names) {
    if (names.empty()) return;
    IndexedSnapshots index = index_snapshots(find_snapshot_files(names), {}, /*with_digests=*/false);
    problems_ = std::move(index.problems);
    for (IndexedSnapshot& one : index.snapshots) {
      ranges_[one.snapshot.input] = range_of(one.signature, sha256_hex(canonical_json(one.signature)));
      if (one.signature.contains("output") && one.signature.contains("stage"))
        whole_.push_back(make_signature(one.signature));
      by_structure_.add(std::move(one.snapshot), std::move(one.signature));
    }
  }

  /// Signatures of those that state one whole.
  const std::vector<Signature>& whole() const { return whole_; }

  const std::vector<std::string>& problems() const { return problems_; }

  void choose_for(ProfileTarget& target) const {
    const std::vector<ProfiledInput> matches = by_structure_.matches(target.signature);
    if (matches.empty()) return;
    target.snapshot = matches.front().input;
    target.range = ranges_.at(target.snapshot);
  }

 private:
  SnapshotIndex by_structure_;
  std::map<std::string, std::string> ranges_;  // by path
  std::vector<Signature> whole_;
  std::vector<std::string> problems_;
};

/// The report's uncovered signatures, in its order.
std::vector<KnownCall> uncovered_in(const std::string& path) try {
  std::vector<KnownCall> calls;
  const RandomAccessFile file(path);
  const Json report = parse_strict(file.read(0, file.size()));
  for (const Json& row : report.at("rows")) {
    if (!row.at("same_structural_signature_ncu_inputs").empty()) continue;
    KnownCall call;
    call.signature = make_signature(row.at("signature"));
    const Json& by_rank = row.at("calls_by_rank");
    std::uint64_t lowest = UINT64_MAX;
    for (const auto& [rank, n] : by_rank.items()) lowest = std::min<std::uint64_t>(lowest, std::stoull(rank));
    call.rank = by_rank.empty() ? 0 : lowest;
    calls.push_back(std::move(call));
  }
  return calls;
} catch (const FormatError& error) {
  throw bad_input(path + ": is no report of opcov's: " + error.what());
} catch (const std::logic_error&) {  // of a rank's number
  throw bad_input(path + ": is no report of opcov's; give the file that opcov report wrote");
} catch (const Json::exception&) {
  throw bad_input(path + ": is no report of opcov's; give the file that opcov report wrote");
}

KnownCalls recorded_in(const std::vector<std::string>& records) {
  KnownCalls calls;
  if (records.empty()) return calls;
  for (CoverageRow& row : load_coverage(records, {}).coverage.rows) {
    const std::uint64_t rank = row.calls_by_rank.empty() ? 0 : row.calls_by_rank.front().rank;
    const std::string digest = row.signature.digest;
    calls[digest] = {std::move(row.signature), rank, /*recorded=*/true, row.returns_input};
  }
  return calls;
}

const KnownCall& beginning_with(const std::string& prefix, const KnownCalls& calls) {
  if (prefix.size() < kShortestPrefix ||
      !is_sha256_hex(prefix + std::string(64 - std::min<std::size_t>(prefix.size(), 64), '0')))
    throw bad_input(prefix + ": is no beginning of a digest; give four of its digits at least");
  const auto first = calls.lower_bound(prefix);
  auto last = first;
  std::string candidates;
  for (std::size_t n = 0; last != calls.end() && last->first.starts_with(prefix); ++last, ++n)
    if (n < kMostCandidates) candidates += (n > 0 ? ", " : "") + last->first;
  const auto n = std::distance(first, last);
  if (n == 0)
    throw bad_input("no signature's digest begins with " + prefix +
                    " in what --records, --snapshots and --missing name");
  if (n > 1)
    throw bad_input(prefix + " is the beginning of " + std::to_string(n) + " digests: " + candidates +
                    "; give more digits");
  return first->second;
}

/// A process alone cannot take part in what several do together.
bool is_collective(const std::string& op) {
  constexpr std::array<std::string_view, 5> kNamespaces = {"c10d.", "_c10d_functional.", "c10d_functional.",
                                                           "_c10d_functional_autograd.", "symm_mem."};
  return std::any_of(kNamespaces.begin(), kNamespaces.end(),
                     [&](std::string_view name) { return op.starts_with(name); });
}

ProfileTarget target_of(const KnownCall& call, const GivenSnapshots& snapshots) {
  ProfileTarget target;
  target.signature = call.signature;
  target.rank = call.rank;
  target.range = range_of({{"op", call.signature.op}, {"stage", call.signature.stage}}, call.signature.digest);
  snapshots.choose_for(target);
  if (is_collective(call.signature.op))
    target.refusal = "a collective: it needs the other ranks, and is replayed in a process alone";
  else if (call.returns_input)
    target.refusal = "it gave its input back unchanged: no kernel ran, there is nothing to profile";
  else if (target.snapshot.empty() && !call.recorded)
    target.refusal = "no snapshot of it is given, and no record that holds it, of which inputs could be made";
  return target;
}

}  // namespace

ProfileTargets find_profile_targets(const ProfileRequest& request) {
  const GivenSnapshots snapshots(request.snapshots);
  KnownCalls known = recorded_in(request.records);
  for (const Signature& signature : snapshots.whole()) known[signature.digest].signature = signature;
  std::vector<KnownCall> missing;
  if (!request.report.empty()) missing = uncovered_in(request.report);
  for (const KnownCall& call : missing) known.try_emplace(call.signature.digest, call);

  ProfileTargets found;
  found.problems = snapshots.problems();
  std::set<std::string> taken;
  const auto add = [&](const KnownCall& call) {
    if (taken.insert(call.signature.digest).second) found.targets.push_back(target_of(call, snapshots));
  };
  for (const std::string& prefix : request.digests) add(beginning_with(prefix, known));
  for (const KnownCall& call : missing) {
    const KnownCall& all = known.at(call.signature.digest);
    all.returns_input ? static_cast<void>(++found.returns_input) : add(all);
  }
  return found;
}

}  // namespace opcov
