#include "report/report_json.h"

#include "format/canonical_json.h"

namespace opcov {
namespace {

OrderedJson stage_json(const StageTotals& stage) {
  return {{"stage", stage.stage},
          {"distinct_signatures", stage.signatures},
          {"recorded_calls", stage.calls},
          {"signatures_with_prior_ncu_input", stage.covered_signatures},
          {"calls_with_structurally_matching_prior_input", stage.covered_calls}};
}

OrderedJson row_json(const CoverageRow& row) {
  OrderedJson by_rank = OrderedJson::object();
  // Appended, not looked up first: ranks are distinct, and there may be thousands.
  auto& members = by_rank.get_ref<OrderedJson::object_t&>();
  for (const auto& [rank, calls] : row.calls_by_rank) members.emplace_back(std::to_string(rank), calls);
  OrderedJson inputs = OrderedJson::array();
  for (const Snapshot& snapshot : row.snapshots)
    inputs.push_back({{"input", snapshot.input}, {"input_sha256", snapshot.input_sha256}});
  return {{"signature", OrderedJson(row.signature.value())},
          {"signature_sha256", row.signature.digest},
          {"calls", row.calls},
          {"calls_by_rank", by_rank},
          {"same_structural_signature_ncu_inputs", inputs}};
}

}  // namespace

std::string report_json(const Coverage& coverage, const std::string& scope) {
  OrderedJson stages = OrderedJson::array();
  for (const StageTotals& stage : coverage.stages) stages.push_back(stage_json(stage));
  OrderedJson rows = OrderedJson::array();
  for (const CoverageRow& row : coverage.rows) rows.push_back(row_json(row));
  OrderedJson sources = OrderedJson::array();
  for (const Source& source : coverage.sources) sources.push_back({{"path", source.path}, {"sha256", source.sha256}});
  const OrderedJson report = {{"status", "structural_signature_coverage_audited"},
                              {"scope", scope},
                              {"stages", stages},
                              {"rows", rows},
                              {"sources", sources}};
  return indented_json(report) + "\n";
}

}  // namespace opcov
