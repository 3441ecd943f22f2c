#include "report/detail.h"

#include <algorithm>
#include <utility>

#include "format/indented_json.h"
#include "report/signature_text.h"
#include "report/weight_totals.h"

namespace opcov {
namespace {

constexpr std::size_t kMostDifferences = 50;

}  // namespace

OrderedJson remarks_json(const RecorderRemarks& remarks) {
  OrderedJson notices = OrderedJson::array();
  for (const auto& [notice, count] : remarks.notices)
    notices.push_back({{"kind", notice.first}, {"count", count}, {"text", notice.second}});
  OrderedJson raised = OrderedJson::object();
  for (const auto& [op, count] : remarks.raised) raised[op] = count;
  return {{"notices", notices},
          {"raised", raised},
          {"unrecorded", remarks.unrecorded},
          {"no_clean_end", remarks.no_clean_end}};
}

WeighedSignature weighed(const CoverageRow& row) {
  Json value = row.signature.value();
  const Weight weight = weight_of(row, value);
  return {std::move(value), weight};
}

OrderedJson near_miss_json(const NearMiss& miss) {
  OrderedJson differences = OrderedJson::array();
  for (std::size_t i = 0; i < std::min(kMostDifferences, miss.differences.size()); ++i) {
    const Difference& difference = miss.differences[i];
    differences.push_back({{"where", difference.where},
                           {"what", difference.what},
                           {"run", difference.run},
                           {"snapshot", difference.snapshot},
                           {"text", difference.text()}});
  }
  return {{"input", miss.input.input},
          {"input_sha256", digest_json(miss.input)},
          {"differences", differences},
          {"more_differences", miss.differences.size() - differences.size()}};
}

OrderedJson row_detail(const CoverageRow& row, const WeighedSignature& signature, NearMisses& near_misses) {
  OrderedJson misses = OrderedJson::array();
  if (row.to_be_profiled())
    for (const NearMiss& miss : near_misses.of(row.signature)) misses.push_back(near_miss_json(miss));
  return {{"signature_sha256", row.signature.digest},
          {"stage", row.signature.stage},
          {"call", signature_text(signature.value)},
          {"calls", row.calls},
          {"flops", amount_json(signature.weight.flops)},
          {"bytes", amount_json(signature.weight.bytes)},
          {"returns_input", row.returns_input},
          {"covered", row.covered()},
          {"near_misses", misses}};
}

void write_detail(const Coverage& coverage, NearMisses& near_misses, const Sink& sink) {
  IndentedJson json(sink);
  WeightTotals totals;
  json.add(R"({"format":"opcov-detail","version":1,"rows":[)");
  for (std::size_t i = 0; i < coverage.rows.size(); ++i) {
    const CoverageRow& row = coverage.rows[i];
    const WeighedSignature signature = weighed(row);
    totals.add(signature.weight, row);
    if (i > 0) json.add(",");
    json.add(canonical_json(row_detail(row, signature, near_misses)));
  }
  json.add("],\"weights\":" + canonical_json(totals_json(totals)) +
           ",\"remarks\":" + canonical_json(remarks_json(coverage.remarks)) + "}");
  json.finish();
  sink("\n");
}

}  // namespace opcov
