// How a LiveView is shown: as text for a terminal or a log, and as a line of JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "format/canonical_json.h"
#include "report/live_view.h"
#include "report/scope_text.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

using Align = Table::Align;

constexpr std::size_t kMostRanks = 8;  // side by side; of more the slowest and the fastest one

std::string rate_text(double per_second) {
  if (per_second >= 99.95) return grouped(static_cast<std::uint64_t>(std::llround(per_second)));
  return per_second == 0 ? "0" : fmt::format("{:.1f}", per_second);
}

std::string coverage_text(LiveCoverage coverage) {
  switch (coverage) {
    case LiveCoverage::kNotCompared: return "";
    case LiveCoverage::kCovered: return "covered";
    case LiveCoverage::kUncovered: return "uncovered";
    case LiveCoverage::kNoKernel: return "no kernel";
  }
  return "";
}

struct Uncovered {
  std::size_t signatures = 0;
  std::uint64_t calls = 0;
};

Uncovered uncovered_of(const LiveView& view) {
  Uncovered sum;
  for (const LiveSignature& signature : view.signatures)
    if (signature.coverage == LiveCoverage::kUncovered) sum.signatures += 1, sum.calls += signature.rates.all.calls;
  return sum;
}

std::string head_text(const LiveView& view) {
  std::string text = fmt::format("{} calls/s, {} in {} on {}; {}, {} ended", rate_text(view.rates.all.per_second),
                                 counted(view.rates.all.calls, "call"), counted(view.signatures.size(), "signature"),
                                 counted(view.ranks.size(), "rank"), counted(view.files, "record file"), view.ended);
  if (!view.compared) return text;
  const Uncovered uncovered = uncovered_of(view);
  return text + fmt::format("; uncovered: {} with {}", counted(uncovered.signatures, "signature"),
                            counted(uncovered.calls, "call"));
}

std::vector<Table::Column> rank_columns(const LiveView& view) {
  std::vector<Table::Column> columns;
  if (view.ranks.size() > kMostRanks) return {{"slowest rank", Align::kRight}, {"fastest rank", Align::kRight}};
  for (std::size_t i = 0; i < view.ranks.size(); ++i)
    columns.push_back(
        {"rank " + std::to_string(view.ranks[i]) + (view.ranks_ended[i] ? " (ended)" : ""), Align::kRight});
  return columns;
}

void add_rank_cells(const LiveView& view, const LiveRates& rates, std::vector<std::string>& cells) {
  if (view.ranks.size() <= kMostRanks) {
    for (const LiveRate& rate : rates.by_rank) cells.push_back(rate_text(rate.per_second));
    return;
  }
  const auto slower = [](const LiveRate& a, const LiveRate& b) { return a.per_second < b.per_second; };
  const auto [slowest, fastest] = std::minmax_element(rates.by_rank.begin(), rates.by_rank.end(), slower);
  for (const auto at : {slowest, fastest})
    cells.push_back(rate_text(at->per_second) + " (" +
                    std::to_string(view.ranks[static_cast<std::size_t>(at - rates.by_rank.begin())]) + ")");
}

std::string stage_text(const std::string& stage) { return stage.empty() ? "(none)" : stage; }

std::string operators_text(const LiveView& view, const TextStyle& style) {
  std::vector<Table::Column> columns = {{"stage", Align::kLeft},
                                        {"operator", Align::kLeft},
                                        {"distinct", Align::kRight},
                                        {"calls", Align::kRight},
                                        {"calls/s", Align::kRight}};
  const std::vector<Table::Column> ranks = rank_columns(view);
  columns.insert(columns.end(), ranks.begin(), ranks.end());
  Table table(std::move(columns));
  const auto add = [&](const std::string& stage, const std::string& op, std::size_t signatures,
                       const LiveRates& rates) {
    std::vector<std::string> cells = {stage, op, grouped(signatures), grouped(rates.all.calls),
                                      rate_text(rates.all.per_second)};
    add_rank_cells(view, rates, cells);
    table.add_row(std::move(cells));
  };
  for (const LiveOperator& op : view.operators)
    add(stage_text(op.stage), operator_text(op.op), op.signatures, op.rates);
  add("total", "", view.signatures.size(), view.rates);
  return table.text(style);
}

std::string signatures_text(const std::string& title, const std::vector<const LiveSignature*>& signatures,
                            std::size_t most, bool compared, const TextStyle& style) {
  if (signatures.empty() || most == 0) return {};
  std::vector<Table::Column> columns = {{"calls/s", Align::kRight}, {"calls", Align::kRight}};
  if (compared) columns.push_back({"", Align::kLeft});
  columns.insert(columns.end(), {{"stage", Align::kLeft}, {"signature", Align::kLeft}});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < std::min(most, signatures.size()); ++i) {
    const LiveSignature& row = *signatures[i];
    std::vector<std::string> cells = {rate_text(row.rates.all.per_second), grouped(row.rates.all.calls)};
    if (compared) cells.push_back(coverage_text(row.coverage));
    cells.push_back(stage_text(row.signature->stage));
    cells.push_back(signature_text(row.signature->value()));
    table.add_row(std::move(cells));
  }
  return "\n" + bold(title, style) + "\n" + table.text(style);
}

std::vector<const LiveSignature*> uncovered_signatures(const LiveView& view) {
  std::vector<const LiveSignature*> found;
  for (const LiveSignature& signature : view.signatures)
    if (signature.coverage == LiveCoverage::kUncovered) found.push_back(&signature);
  std::stable_sort(found.begin(), found.end(),
                   [](auto* a, auto* b) { return a->rates.all.calls > b->rates.all.calls; });
  return found;
}

std::string first_lines(const std::string& text, std::size_t lines) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < lines && end < text.size(); ++i) end = std::min(text.find('\n', end), text.size()) + 1;
  return text.substr(0, end);
}

OrderedJson rates_json(const LiveView& view, const LiveRates& rates, OrderedJson json) {
  json["calls"] = rates.all.calls;
  json["calls_per_second"] = rates.all.per_second;
  OrderedJson ranks = OrderedJson::object();
  for (std::size_t i = 0; i < view.ranks.size(); ++i)
    ranks[std::to_string(view.ranks[i])] = {{"calls", rates.by_rank[i].calls},
                                            {"calls_per_second", rates.by_rank[i].per_second}};
  json["by_rank"] = std::move(ranks);
  return json;
}

OrderedJson signature_json(const LiveView& view, const LiveSignature& row) {
  OrderedJson json = {{"signature_sha256", row.signature->digest},
                      {"stage", row.signature->stage},
                      {"call", signature_text(row.signature->value())}};
  const bool known = view.compared && row.coverage != LiveCoverage::kNoKernel;
  json["covered"] = known ? OrderedJson(row.coverage == LiveCoverage::kCovered) : OrderedJson();
  json["returns_input"] = row.coverage == LiveCoverage::kNoKernel;
  return rates_json(view, row.rates, std::move(json));
}

}  // namespace

std::string live_text(const LiveView& view, std::size_t top, std::size_t height, const TextStyle& style) {
  std::string text = bold(cut(head_text(view), style.width), style) + "\n";
  for (const std::string& problem : view.problems) text += cut("problem: " + printable(problem), style.width) + "\n";
  text += "\n" + operators_text(view, style);
  std::vector<const LiveSignature*> all;
  for (const LiveSignature& signature : view.signatures) all.push_back(&signature);
  const std::vector<const LiveSignature*> uncovered = uncovered_signatures(view);
  std::size_t busiest = top;
  std::size_t largest = top;
  if (height > 0) {
    // Each list has a title, a head and an empty line.
    const auto used = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const std::size_t heads = uncovered.empty() ? 3 : 6;
    const std::size_t left = height > used + heads ? height - used - heads : 0;
    largest = uncovered.empty() ? 0 : std::min(uncovered.size(), left / 2);
    busiest = left - largest;
  }
  text += signatures_text("Busiest signatures", all, busiest, view.compared, style);
  text += signatures_text("Uncovered signatures with most calls", uncovered, largest, false, style);
  return height > 0 ? first_lines(text, height) : text;
}

std::string live_json(const LiveView& view) {
  OrderedJson json = {{"seconds", view.seconds}, {"files", view.files}, {"ended", view.ended}};
  json = rates_json(view, view.rates, std::move(json));
  OrderedJson operators = OrderedJson::array();
  for (const LiveOperator& op : view.operators)
    operators.push_back(
        rates_json(view, op.rates, {{"stage", op.stage}, {"op", op.op}, {"signatures", op.signatures}}));
  OrderedJson signatures = OrderedJson::array();
  for (const LiveSignature& signature : view.signatures) signatures.push_back(signature_json(view, signature));
  json["operators"] = std::move(operators);
  json["signatures"] = std::move(signatures);
  json["problems"] = view.problems;
  return canonical_json(json) + "\n";
}

}  // namespace opcov
