#include "report/report_json.h"

#include "format/indented_json.h"

namespace opcov {
namespace {

std::string stage_json(const StageTotals& stage) {
  return canonical_json(OrderedJson{{"stage", stage.stage},
                                    {"distinct_signatures", stage.signatures},
                                    {"recorded_calls", stage.calls},
                                    {"signatures_with_prior_ncu_input", stage.covered_signatures},
                                    {"calls_with_structurally_matching_prior_input", stage.covered_calls}});
}

std::string inputs_json(const std::vector<ProfiledInput>& snapshots) {
  OrderedJson inputs = OrderedJson::array();
  for (const ProfiledInput& snapshot : snapshots)
    inputs.push_back({{"input", snapshot.input}, {"input_sha256", digest_json(snapshot)}});
  return canonical_json(inputs);
}

// Put together as text: a large job has a hundred thousand rows, and a row ten thousand ranks.
std::string row_json(const CoverageRow& row) {
  std::string text = "{\"signature\":" + row.signature.text + ",\"signature_sha256\":\"" + row.signature.digest +
                     "\",\"calls\":" + std::to_string(row.calls) + ",\"calls_by_rank\":{";
  for (const auto& [rank, calls] : row.calls_by_rank) {
    if (text.back() != '{') text += ',';
    text += '"';
    text += std::to_string(rank);
    text += "\":";
    text += std::to_string(calls);
  }
  return text + "},\"same_structural_signature_ncu_inputs\":" + inputs_json(row.snapshots) + "}";
}

std::string source_json(const Source& source) {
  return canonical_json(OrderedJson{{"path", source.path}, {"sha256", source.sha256}});
}

template <typename Items, typename JsonOf>
void add_list(IndentedJson& json, const std::string& key, const Items& items, JsonOf json_of) {
  json.add(",\"" + key + "\":[");
  bool first = true;
  for (const auto& item : items) {
    if (!first) json.add(",");
    first = false;
    json.add(json_of(item));
  }
  json.add("]");
}

}  // namespace

void write_report(const Coverage& coverage, const std::string& scope, const Sink& sink) {
  IndentedJson json(sink);
  json.add("{\"status\":\"structural_signature_coverage_audited\",\"scope\":" + canonical_json(Json(scope)));
  add_list(json, "stages", coverage.stages, stage_json);
  add_list(json, "rows", coverage.rows, row_json);
  add_list(json, "sources", coverage.sources, source_json);
  json.add("}");
  json.finish();
  sink("\n");
}

}  // namespace opcov
