#include "report/explanation.h"

#include <algorithm>

#include "base/printable.h"
#include "report/detail.h"
#include "report/scope_text.h"
#include "report/signature_text.h"
#include "report/weight_totals.h"

namespace opcov {
namespace {

constexpr std::size_t kMostShown = 12;  // ranks, inputs or differences

class Lines {
 public:
  explicit Lines(const TextStyle& style) : style_(style) {}

  void add(const std::string& line) { text_ += cut(printable(line), style_.width) + "\n"; }
  void add_title(const std::string& line) { text_ += bold(cut(printable(line), style_.width), style_) + "\n"; }

  /// As many as are shown, and how many more there are.
  template <typename Items, typename TextOf>
  void add_all(const std::string& indent, const Items& items, TextOf text_of) {
    for (std::size_t i = 0; i < std::min(kMostShown, items.size()); ++i) add(indent + text_of(items[i]));
    if (items.size() > kMostShown) add(indent + "and " + grouped(items.size() - kMostShown) + " more");
  }

  std::string take() { return std::move(text_); }

 private:
  TextStyle style_;
  std::string text_;
};

std::string ranks_text(const std::vector<RankCalls>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostShown, ranks.size()); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(ranks[i].rank) + ": " + grouped(ranks[i].calls);
  if (ranks.size() > kMostShown) text += " and " + grouped(ranks.size() - kMostShown) + " more";
  return text;
}

void add_nearest(Lines& lines, const std::vector<NearMiss>& misses) {
  if (misses.empty()) lines.add("  uncovered: no profiled input is of this operator");
  for (const NearMiss& miss : misses) {
    lines.add("  " + std::string(&miss == &misses.front() ? "uncovered; nearest: " : "then: ") + miss.input.input);
    lines.add_all("    ", miss.differences, [](const Difference& difference) { return difference.text(); });
  }
}

void add_places(Lines& lines, const CallPlaces& places) {
  for (const auto& [place, first_calls] : places.all()) {
    const std::string title = place_title(place);
    const std::string times = places.all().size() > 1 ? " (" + counted(first_calls, "first call") + ")" : "";
    lines.add("  where" + times + (title.empty() ? "" : ": " + title));
    for (const std::string& frame : place.frames) lines.add("    " + frame);
    if (const std::string remark = place_remark(place); !remark.empty()) lines.add("    (" + remark + ")");
  }
  if (places.more()) lines.add("  and first calls elsewhere");
}

OrderedJson places_json(const CallPlaces& places) {
  OrderedJson json = OrderedJson::array();
  for (const auto& [place, first_calls] : places.all()) {
    json.push_back(place_json(place));
    json.back()["first_calls"] = first_calls;
  }
  return json;
}

}  // namespace

std::string explanation_text(const CoverageRow& row, bool compared, NearMisses& near_misses, const TextStyle& style) {
  Lines lines(style);
  const WeighedSignature signature = weighed(row);
  lines.add_title(signature_text(signature.value));
  lines.add("  digest " + row.signature.digest);
  lines.add("  stage " + (row.signature.stage.empty() ? "(none)" : row.signature.stage));
  lines.add("  " + counted(row.calls, "call") + ", by rank " + ranks_text(row.calls_by_rank));
  lines.add("  FLOPs of a call: " + amount_text(signature.weight.flops) +
            ", bytes: " + amount_text(signature.weight.bytes));
  if (row.returns_input) lines.add("  gives back its input unchanged: no kernel ran, there is nothing to profile");
  if (row.covered()) {
    lines.add("  covered by " + counted(row.snapshots.size(), "input"));
    lines.add_all("    ", row.snapshots, [](const ProfiledInput& input) { return input.input; });
  } else if (compared && !row.returns_input) {
    add_nearest(lines, near_misses.of(row.signature));
  }
  add_places(lines, row.places);
  return lines.take();
}

OrderedJson explanation_json(const CoverageRow& row, NearMisses& near_misses) {
  const WeighedSignature signature = weighed(row);
  OrderedJson json = row_detail(row, signature, near_misses);
  json["signature"] = OrderedJson(signature.value);
  OrderedJson ranks = OrderedJson::object();
  auto& members = ranks.get_ref<OrderedJson::object_t&>();
  for (const auto& [rank, calls] : row.calls_by_rank) members.emplace_back(std::to_string(rank), calls);
  json["calls_by_rank"] = ranks;
  OrderedJson inputs = OrderedJson::array();
  for (const ProfiledInput& input : row.snapshots)
    inputs.push_back({{"input", input.input}, {"input_sha256", digest_json(input)}});
  json["inputs"] = inputs;
  json["where"] = places_json(row.places);
  json["more_places"] = row.places.more();
  return json;
}

}  // namespace opcov
