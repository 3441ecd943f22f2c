// The result that report and summary show: rows of signatures with their calls and the snapshots that cover them.
//
// CoverageBuilder adds up record files one at a time, so that memory grows with the distinct signatures and not with
// the files. Threads: one builder belongs to one thread. Errors: throws Error (kBadInput) where counts overflow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "format/manifest.h"
#include "format/record.h"
#include "format/signature_pool.h"
#include "report/call_places.h"
#include "report/calls_by_rank.h"
#include "report/header_facts.h"

namespace opcov {

struct CoverageRow {
  Signature signature;
  std::uint64_t calls = 0;
  std::vector<RankCalls> calls_by_rank;  // in the order of the ranks; those without calls are absent
  bool returns_input = false;            // on every call: no kernel ran, there is nothing to profile
  std::vector<ProfiledInput> snapshots;
  CallPlaces places = {};  // where recordings note any

  bool covered() const { return !snapshots.empty(); }
  bool to_be_profiled() const { return !covered() && !returns_input; }
};

struct StageTotals {
  std::string stage;
  std::uint64_t signatures = 0;
  std::uint64_t calls = 0;
  std::uint64_t covered_signatures = 0;
  std::uint64_t covered_calls = 0;
};

struct Source {
  std::string path;
  std::string sha256;
};

/// What the recorders had to say beside counts, added up over all segments.
struct RecorderRemarks {
  std::map<std::pair<std::string, std::string>, std::uint64_t> notices;  // by kind and text
  std::map<std::string, std::uint64_t> raised;                           // by operator
  std::uint64_t unrecorded = 0;
  std::vector<std::string> no_clean_end;  // files
};

struct Coverage {
  std::vector<CoverageRow> rows;    // by stage, then calls descending, then digest
  std::vector<StageTotals> stages;  // by name
  std::vector<Source> sources;      // by path bytes
  std::set<std::uint64_t> ranks;
  std::uint64_t world_size = 0;  // the largest any header names
  std::size_t segments = 0;
  std::size_t manifests = 0;
  std::size_t snapshot_files = 0;  // that were read themselves
  std::size_t snapshots = 0;       // of manifests and files
  std::uint64_t calls = 0;
  std::uint64_t launches = 0;  // the most segments that any rank has
  HeaderFacts facts;
  RecorderRemarks remarks;

  bool compared() const { return manifests + snapshot_files > 0; }
};

/// The rows that pass, most calls first.
template <typename Predicate>
std::vector<const CoverageRow*> largest(const Coverage& coverage, Predicate passes) {
  std::vector<const CoverageRow*> rows;
  for (const CoverageRow& row : coverage.rows)
    if (passes(row)) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->calls > b->calls; });
  return rows;
}

class CoverageBuilder {
 public:
  SignaturePool& pool() { return pool_; }

  /// `file` was read with pool().
  void add(const RecordFile& file);

  Coverage finish(const SnapshotIndex& snapshots);

 private:
  struct Sum {
    std::uint64_t calls = 0;
    CallsByRank by_rank;
    bool returns_input = true;
    CallPlaces places;
  };
  Sum& sum_of(SignaturePool::Index signature);
  void add(const Segment& segment, const std::string& path);

  SignaturePool pool_;
  std::vector<Sum> sums_;  // by the pool's index
  std::map<std::uint64_t, std::uint64_t> segments_of_ranks_;
  Coverage coverage_;
};

}  // namespace opcov
