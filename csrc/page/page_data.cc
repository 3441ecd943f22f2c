#include "page/page_data.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "format/canonical_json.h"
#include "page/size_folds.h"
#include "report/detail.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

// What a row may have of each: a page is to be read, and a job may have ten thousand ranks.
constexpr std::size_t kMostRankRuns = 256;
constexpr std::size_t kMostInputs = 20;
constexpr std::size_t kMostDifferences = 12;
constexpr std::size_t kMostFrames = 16;  // as many as a recorder writes

// Texts that many rows share stand in the page once.
class Texts {
 public:
  std::size_t place_of(const std::string& text) {
    const auto [at, added] = places_.emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return at->second;
  }

  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

// [first, last, calls] of neighbouring ranks with as many calls each.
OrderedJson rank_runs(const std::vector<RankCalls>& ranks) {
  OrderedJson runs = OrderedJson::array();
  for (std::size_t at = 0, end = 0; at < ranks.size(); at = end) {
    end = at + 1;
    while (end < ranks.size() && ranks[end].calls == ranks[at].calls && ranks[end].rank == ranks[end - 1].rank + 1)
      ++end;
    runs.push_back({ranks[at].rank, ranks[end - 1].rank, ranks[at].calls});
  }
  return runs;
}

// [first, last, mean calls] of neighbouring ranks: what a picture can show.
OrderedJson mean_runs(const std::vector<RankCalls>& ranks) {
  OrderedJson runs = OrderedJson::array();
  const std::size_t together = (ranks.size() + kMostRankRuns - 1) / kMostRankRuns;
  for (std::size_t at = 0, end = 0; at < ranks.size(); at = end) {
    end = std::min(at + together, ranks.size());
    std::uint64_t calls = 0;
    for (std::size_t i = at; i < end; ++i) calls += ranks[i].calls;
    const std::uint64_t span = ranks[end - 1].rank - ranks[at].rank + 1;
    runs.push_back({ranks[at].rank, ranks[end - 1].rank, static_cast<double>(calls) / static_cast<double>(span)});
  }
  return runs;
}

OrderedJson rank_facts(const std::vector<RankCalls>& ranks) {
  const auto [least, most] =
      std::minmax_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.calls < b.calls; });
  OrderedJson runs = rank_runs(ranks);
  const bool means = runs.size() > kMostRankRuns;
  if (means) runs = mean_runs(ranks);
  return {{"count", ranks.size()},
          {"min", least->calls},
          {"max", most->calls},
          {"means", means},
          {"runs", std::move(runs)}};
}

class RowWriter {
 public:
  RowWriter(NearMisses& near_misses, bool compared) : near_misses_(near_misses), compared_(compared) {}

  OrderedJson row(const CoverageRow& row) {
    const WeighedSignature signature = weighed(row);
    OrderedJson json = {{"call", signature_text(signature.value)},
                        {"digest", row.signature.digest},
                        {"stage", stages_.place_of(row.signature.stage)},
                        {"op", ops_.place_of(row.signature.op)},
                        {"calls", row.calls},
                        {"ranks", rank_facts(row.calls_by_rank)}};
    if (signature.weight.flops) json["flops"] = *signature.weight.flops;
    if (signature.weight.bytes) json["bytes"] = *signature.weight.bytes;
    if (row.returns_input) json["returns_input"] = true;
    if (row.covered()) add_inputs(json, row.snapshots);
    if (compared_ && row.to_be_profiled()) add_nearest(json, row.signature);
    if (!row.places.all().empty()) add_places(json, row.places);
    return json;
  }

  OrderedJson texts() const {
    return {{"stages", stages_.all()}, {"ops", ops_.all()}, {"inputs", inputs_.all()}, {"frames", frames_.all()}};
  }

 private:
  void add_inputs(OrderedJson& json, const std::vector<ProfiledInput>& inputs) {
    OrderedJson places = OrderedJson::array();
    for (std::size_t i = 0; i < std::min(kMostInputs, inputs.size()); ++i)
      places.push_back(inputs_.place_of(inputs[i].input));
    json["inputs"] = std::move(places);
    json["inputs_count"] = inputs.size();
  }

  void add_nearest(OrderedJson& json, const Signature& signature) {
    const std::vector<NearMiss> misses = near_misses_.of(signature, 1);
    if (misses.empty()) return;
    const NearMiss& miss = misses.front();
    OrderedJson differences = OrderedJson::array();
    for (std::size_t i = 0; i < std::min(kMostDifferences, miss.differences.size()); ++i)
      differences.push_back(miss.differences[i].text());
    json["nearest"] = {{"input", inputs_.place_of(miss.input.input)},
                       {"in_sizes_alone", miss.in_sizes_alone},
                       {"differences", std::move(differences)},
                       {"differences_count", miss.differences.size()}};
  }

  void add_places(OrderedJson& json, const CallPlaces& call_places) {
    OrderedJson places = OrderedJson::array();
    for (const auto& [whole, first_calls] : call_places.all()) {
      CallPlace place = whole;
      if (place.frames.size() > kMostFrames) {
        place.frames.resize(kMostFrames);
        place.more_frames = true;
      }
      OrderedJson frames = OrderedJson::array();
      for (const std::string& frame : place.frames) frames.push_back(frames_.place_of(frame));
      places.push_back({{"title", place_title(place)},
                        {"frames", std::move(frames)},
                        {"remark", place_remark(place)},
                        {"first_calls", first_calls}});
    }
    json["where"] = std::move(places);
    if (call_places.more()) json["more_places"] = true;
  }

  NearMisses& near_misses_;
  bool compared_;
  Texts stages_;
  Texts ops_;
  Texts inputs_;
  Texts frames_;
};

OrderedJson facts_json(const Coverage& coverage) {
  const HeaderFacts& facts = coverage.facts;
  std::vector<RankCalls> ranks;
  for (const std::uint64_t rank : coverage.ranks) ranks.push_back({rank, 0});
  return {{"ranks", ranks.size()},
          {"rank_runs", rank_runs(ranks)},
          {"world_size", coverage.world_size},
          {"launches", coverage.launches},
          {"files", coverage.sources.size()},
          {"profiled_inputs", coverage.snapshots},
          {"torch", facts.torch},
          {"opcov", facts.recorders},
          {"hosts", facts.hosts},
          {"gpus", facts.gpus},
          {"operators", facts.operators},
          {"settings", facts.settings}};
}

OrderedJson fold_json(const SizeFold& fold) {
  OrderedJson rows = OrderedJson::array();
  OrderedJson sizes = OrderedJson::array();
  for (const auto& [row, size] : fold.members) {
    rows.push_back(row);
    sizes.push_back(size);
  }
  return {{"call", fold.call}, {"rows", std::move(rows)}, {"sizes", std::move(sizes)}};
}

}  // namespace

void write_page_data(const Coverage& coverage, NearMisses& near_misses, const std::string& scope,
                     const PageNames& names, const Sink& sink) {
  sink("{\"rows\":[");
  RowWriter writer(near_misses, coverage.compared());
  for (std::size_t i = 0; i < coverage.rows.size(); ++i)
    sink((i > 0 ? "," : "") + canonical_json(writer.row(coverage.rows[i])));
  OrderedJson folds = OrderedJson::array();
  for (const SizeFold& fold : fold_sizes(coverage.rows)) folds.push_back(fold_json(fold));
  const OrderedJson rest = {
      {"texts", writer.texts()},
      {"folds", std::move(folds)},
      {"compared", coverage.compared()},
      {"calls", coverage.calls},
      {"scope", scope},
      {"facts", facts_json(coverage)},
      {"remarks", remarks_json(coverage.remarks)},
      {"names", {{"records", names.records}, {"inputs", names.inputs}, {"report", names.report}}}};
  // The members of `rest` behind the rows.
  sink("]," + canonical_json(rest).substr(1));
}

}  // namespace opcov
