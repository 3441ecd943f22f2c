#include "report/summary_json.h"

#include "format/indented_json.h"
#include "report/detail.h"
#include "report/remarks_text.h"
#include "report/signature_text.h"
#include "report/summary_totals.h"

namespace opcov {
namespace {

OrderedJson totals_json(const SummaryTotals& totals, bool compared, OrderedJson json) {
  const auto known = [&](OrderedJson value) { return compared ? std::move(value) : OrderedJson(); };
  json["signatures"] = totals.signatures;
  json["calls"] = totals.calls;
  json["no_kernel_calls"] = totals.no_kernel_calls;
  json["covered_signatures"] = known(totals.covered_signatures);
  json["covered_calls"] = known(totals.covered_calls);
  json["flops"] = number_json(totals.flops.all);
  json["covered_flops"] = known(number_json(totals.flops.covered));
  json["unknown_flops_signatures"] = totals.flops.unknown_signatures;
  json["unknown_flops_calls"] = totals.flops.unknown_calls;
  return json;
}

OrderedJson row_json(const CoverageRow& row, bool compared) {
  const WeighedSignature signature = weighed(row);
  const bool known = compared && !row.returns_input;
  return {{"signature_sha256", row.signature.digest},
          {"stage", row.signature.stage},
          {"call", signature_text(signature.value)},
          {"calls", row.calls},
          {"flops", amount_json(signature.weight.flops)},
          {"bytes", amount_json(signature.weight.bytes)},
          {"covered", known ? OrderedJson(row.covered()) : OrderedJson()},
          {"returns_input", row.returns_input}};
}

OrderedJson head_json(const Coverage& coverage) {
  const CoverageTotals totals = totals_of(coverage);
  const bool compared = coverage.compared();
  OrderedJson operators = OrderedJson::array();
  for (const auto& [key, of_key] : totals.by_operator)
    operators.push_back(totals_json(of_key, compared, {{"stage", key.first}, {"op", key.second}}));
  return {{"format", "opcov-summary"},
          {"version", 1},
          {"files", coverage.sources.size()},
          {"ranks", coverage.ranks},
          {"missing_ranks", missing_ranks(coverage)},
          {"inputs", compared ? OrderedJson(coverage.snapshots) : OrderedJson()},
          {"total", totals_json(totals.all, compared, OrderedJson::object())},
          {"operators", std::move(operators)},
          {"remarks", remarks_json(coverage.remarks)}};
}

}  // namespace

void write_summary_json(const Coverage& coverage, const Sink& sink) {
  IndentedJson json(sink);
  std::string head = canonical_json(head_json(coverage));
  head.pop_back();  // the object goes on
  json.add(head + ",\"signatures\":[");
  bool first = true;
  for (const CoverageRow* row : largest(coverage, [](const CoverageRow&) { return true; })) {
    json.add((first ? "" : ",") + canonical_json(row_json(*row, coverage.compared())));
    first = false;
  }
  json.add("]}");
  json.finish();
  sink("\n");
}

}  // namespace opcov
