#include "report/summary.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "report/remarks_text.h"
#include "report/scope_text.h"
#include "report/signature_text.h"
#include "report/summary_totals.h"

namespace opcov {
namespace {

using Align = Table::Align;

template <typename Number>
std::string percent(Number part, Number whole) {
  if (whole == 0) return "-";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  // 0.0 % says none and 100.0 % says all, never nearly so.
  if (part > 0 && share < 0.05) return "<0.1 %";
  if (part < whole && share >= 99.95) return ">99.9 %";
  return fmt::format("{:.1f} %", share);
}

std::string stage_text(const std::string& stage) { return stage.empty() ? "(none)" : stage; }

std::string flops_text(const WeightTotal& flops) {
  return flops.all == 0 && flops.unknown_calls > 0 ? "unknown" : short_amount(flops.all);
}

std::string unknown_text(const WeightTotal& flops, const Coverage& coverage) {
  if (flops.unknown_calls == 0) return {};
  return fmt::format("FLOPs are unknown, and left out, of {} in {} ({} of all calls)\n",
                     counted(flops.unknown_calls, "call"), counted(flops.unknown_signatures, "signature"),
                     percent(flops.unknown_calls, coverage.calls));
}

std::string totals_table(const Coverage& coverage, const TextStyle& style) {
  const auto [by_operator, all] = totals_of(coverage);
  const bool compared = coverage.compared();
  const bool no_kernel = all.no_kernel_calls > 0;
  std::vector<Table::Column> columns = {
      {"stage", Align::kLeft}, {"operator", Align::kLeft}, {"distinct", Align::kRight}, {"calls", Align::kRight}};
  if (no_kernel) columns.push_back({"no kernel", Align::kRight});
  if (compared) columns.insert(columns.end(), {{"covered", Align::kRight}, {"calls covered", Align::kRight}});
  columns.push_back({"FLOPs", Align::kRight});
  if (compared) columns.push_back({"FLOPs covered", Align::kRight});
  Table table(std::move(columns));
  const auto add = [&](const std::string& stage, const std::string& op, const SummaryTotals& totals) {
    std::vector<std::string> cells = {stage, op, grouped(totals.signatures), grouped(totals.calls)};
    if (no_kernel) cells.push_back(grouped(totals.no_kernel_calls));
    if (compared) {
      cells.push_back(grouped(totals.covered_signatures));
      cells.push_back(percent(totals.covered_calls, totals.calls - totals.no_kernel_calls));
    }
    cells.push_back(flops_text(totals.flops));
    if (compared) cells.push_back(percent(totals.flops.covered, totals.flops.all));
    table.add_row(std::move(cells));
  };
  for (const auto& [key, totals] : by_operator) add(stage_text(key.first), operator_text(key.second), totals);
  add("total", "", all);
  return table.text(style) + unknown_text(all.flops, coverage);
}

std::string signature_list(const std::string& title, const std::vector<const CoverageRow*>& rows,
                           const Coverage& coverage, const SummaryOptions& options) {
  if (rows.empty()) return {};
  Table table(
      {{"calls", Align::kRight}, {"share", Align::kRight}, {"stage", Align::kLeft}, {"signature", Align::kLeft}});
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CoverageRow& row = *rows[i];
    if (i < options.top)
      table.add_row({grouped(row.calls), percent(row.calls, coverage.calls), stage_text(row.signature.stage),
                     signature_text(row.signature.value())});
    else
      rest += row.calls;
  }
  std::string text = "\n" + bold(title, options.style) + "\n" + table.text(options.style);
  if (rows.size() > options.top)
    text += fmt::format("and {} with {} (--top shows more)\n", counted(rows.size() - options.top, "more signature"),
                        counted(rest, "call"));
  return text;
}

}  // namespace

std::string summary_text(const Coverage& coverage, const SummaryOptions& options) {
  std::string text = fmt::format(
      "{} in {}, from {} of {}", counted(coverage.calls, "call"), counted(coverage.rows.size(), "distinct signature"),
      counted(coverage.sources.size(), "record file"), counted(coverage.ranks.size(), "rank"));
  if (coverage.compared()) text += fmt::format("; {}", counted(coverage.snapshots, "profiled input"));
  text += "\n\n" + totals_table(coverage, options.style);

  const bool compared = coverage.compared();
  text += signature_list(compared ? "Largest uncovered signatures" : "Largest signatures",
                         largest(coverage, [](const CoverageRow& r) { return r.to_be_profiled(); }), coverage, options);
  text += signature_list("Give back their input unchanged: no kernel ran, there is nothing to profile",
                         largest(coverage, [](const CoverageRow& r) { return r.returns_input; }), coverage, options);
  return text + remarks_text(coverage, options.style);
}

}  // namespace opcov
