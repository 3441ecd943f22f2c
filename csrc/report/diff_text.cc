#include "report/diff_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "format/indented_json.h"
#include "report/scope_text.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

using Align = Table::Align;

struct Covered {
  std::uint64_t signatures = 0;
  std::uint64_t calls = 0;
};

Covered covered_of(const DiffSide& side) {
  Covered sum;
  for (const DiffRow& row : side.rows)
    if (row.covered == true) sum.signatures += 1, sum.calls += row.calls;
  return sum;
}

std::string side_text(const std::string& letter, const DiffSide& side) {
  std::string text =
      fmt::format("{}  {} in {}", letter, counted(side.calls, "call"), counted(side.rows.size(), "distinct signature"));
  if (side.compared) {
    const Covered covered = covered_of(side);
    text += fmt::format(", of which {} in {} covered", counted(covered.calls, "call"),
                        counted(covered.signatures, "signature"));
  }
  return text + ": " + printable(side.name);
}

std::string change_text(const DiffPair& pair) {
  const std::uint64_t a = pair.calls_a();
  const std::uint64_t b = pair.calls_b();
  return a > b ? "-" + grouped(a - b) : "+" + grouped(b - a);
}

std::string list_text(const std::string& title, const std::vector<DiffPair>& pairs, std::size_t top,
                      const TextStyle& style) {
  if (pairs.empty()) return {};
  Table table({{"calls in A", Align::kRight},
               {"in B", Align::kRight},
               {"change", Align::kRight},
               {"stage", Align::kLeft},
               {"signature", Align::kLeft}});
  for (std::size_t i = 0; i < std::min(top, pairs.size()); ++i) {
    const Signature& signature = pairs[i].signature();
    table.add_row({pairs[i].a != nullptr ? grouped(pairs[i].calls_a()) : "-",
                   pairs[i].b != nullptr ? grouped(pairs[i].calls_b()) : "-", change_text(pairs[i]),
                   signature.stage.empty() ? "(none)" : signature.stage, signature_text(signature.value())});
  }
  std::string text = fmt::format("\n{}\n{}", bold(title + ": " + counted(pairs.size(), "signature"), style),
                                 top > 0 ? table.text(style) : "");
  if (pairs.size() > top)
    text += fmt::format("and {} (--top shows more)\n", counted(pairs.size() - top, "more signature"));
  return text;
}

OrderedJson side_json(const DiffSide& side) {
  OrderedJson json = {{"name", side.name}, {"signatures", side.rows.size()}, {"calls", side.calls}};
  const Covered covered = covered_of(side);
  json["covered_signatures"] = side.compared ? OrderedJson(covered.signatures) : OrderedJson();
  json["covered_calls"] = side.compared ? OrderedJson(covered.calls) : OrderedJson();
  return json;
}

OrderedJson covered_json(const DiffRow* row) {
  return row != nullptr && row->covered ? OrderedJson(*row->covered) : OrderedJson();
}

OrderedJson pair_json(const DiffPair& pair) {
  const Signature& signature = pair.signature();
  return {{"signature_sha256", signature.digest},
          {"stage", signature.stage},
          {"call", signature_text(signature.value())},
          {"calls_a", pair.calls_a()},
          {"calls_b", pair.calls_b()},
          {"covered_a", covered_json(pair.a)},
          {"covered_b", covered_json(pair.b)}};
}

}  // namespace

std::string diff_text(const DiffSide& a, const DiffSide& b, const Diff& diff, std::size_t top, const TextStyle& style) {
  std::string text = side_text("A", a) + "\n" + side_text("B", b) + "\n";
  if (diff.empty()) return text + "\nno difference\n";
  text += list_text("Lost, in A alone", diff.lost, top, style);
  text += list_text("Gained, in B alone", diff.gained, top, style);
  text += list_text("Called more or less often", diff.counts, top, style);
  text += list_text("No longer covered", diff.coverage_lost, top, style);
  text += list_text("Newly covered", diff.coverage_gained, top, style);
  return text;
}

void write_diff_json(const DiffSide& a, const DiffSide& b, const Diff& diff, const Sink& sink) {
  IndentedJson json(sink);
  json.add("{\"format\":\"opcov-diff\",\"version\":1,\"a\":" + canonical_json(side_json(a)) +
           ",\"b\":" + canonical_json(side_json(b)));
  const std::pair<const char*, const std::vector<DiffPair>*> lists[] = {{"lost", &diff.lost},
                                                                        {"gained", &diff.gained},
                                                                        {"counts", &diff.counts},
                                                                        {"coverage_lost", &diff.coverage_lost},
                                                                        {"coverage_gained", &diff.coverage_gained}};
  for (const auto& [name, pairs] : lists) {
    json.add(std::string(",\"") + name + "\":[");
    for (std::size_t i = 0; i < pairs->size(); ++i)
      json.add((i > 0 ? "," : "") + canonical_json(pair_json((*pairs)[i])));
    json.add("]");
  }
  json.add("}");
  json.finish();
  sink("\n");
}

}  // namespace opcov
