#include "replay/recorded_calls.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/sha256.h"
#include "format/canonical_json.h"
#include "format/format_error.h"
#include "format/record_line.h"
#include "format/record_reader.h"
#include "format/signature.h"
#include "format/signature_pool.h"

namespace opcov {
namespace {

constexpr std::size_t kMostCandidates = 5;

}  // namespace

RecordedCalls::RecordedCalls(const std::vector<std::string>& files) {
  for (const std::string& file : files) read(file);
}

// A pool of signatures, which readers of reports use, forgets devices: the lines are read once more.
void RecordedCalls::read(const std::string& file) {
  SignaturePool pool;
  const RecordFile record = read_record_file(file, pool);
  record.findings.throw_errors();
  LineReader lines(file);
  std::size_t segment = 0;
  std::string_view line;
  while (lines.next(line)) {
    while (segment + 1 < record.segments.size() && record.segments[segment + 1].line <= lines.line_number()) ++segment;
    try {
      const RecordLine parsed = parse_record_line(line);
      if (parsed.kind != "signature") continue;
      Json recorded = parse_strict(parsed.signature);
      const Signature signature = make_signature(recorded);
      if (!by_digest_.try_emplace(signature.digest, calls_.size()).second) continue;
      calls_.push_back({std::move(recorded), signature.digest, {}, {}, record.segments[segment].header});
    } catch (const FormatError&) {
      break;  // the last line, torn by a kill: any other one would have been an error above
    }
  }
}

const std::map<std::string, std::size_t>& RecordedCalls::without(const std::vector<std::string>& keys) {
  if (keys.empty()) return by_digest_;
  const auto [known, fresh] = by_rest_.try_emplace(keys);
  for (std::size_t i = 0; fresh && i < calls_.size(); ++i) {
    Json rest = without_places(calls_[i].signature);
    for (const std::string& key : keys) rest.erase(key);
    known->second.try_emplace(sha256_hex(canonical_json(rest)), i);
  }
  return known->second;
}

const ReplayedCall* RecordedCalls::stated_by(const Json& signature, const std::string& digest) {
  std::vector<std::string> absent;
  for (const char* key : {"output", "stage"})
    if (!signature.contains(key)) absent.emplace_back(key);
  const std::map<std::string, std::size_t>& by_rest = without(absent);
  const auto found = by_rest.find(digest);
  return found == by_rest.end() ? nullptr : &calls_[found->second];
}

const ReplayedCall& RecordedCalls::beginning_with(const std::string& prefix) const {
  const auto first = by_digest_.lower_bound(prefix);
  auto last = first;
  while (last != by_digest_.end() && last->first.starts_with(prefix)) ++last;
  const auto n = static_cast<std::size_t>(std::distance(first, last));
  if (n == 0) throw bad_input("no signature's digest in the records begins with " + prefix);
  if (n == 1) return calls_[first->second];
  std::string candidates;
  auto it = first;
  for (std::size_t i = 0; i < std::min(kMostCandidates, n); ++i, ++it) candidates += (i > 0 ? ", " : "") + it->first;
  if (n > kMostCandidates) candidates += " and " + std::to_string(n - kMostCandidates) + " more";
  throw bad_input(prefix + " is the beginning of " + std::to_string(n) + " digests: " + candidates +
                  "; give more digits");
}

}  // namespace opcov
