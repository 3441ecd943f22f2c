#include "report/weight_totals.h"

#include <fmt/format.h>

#include <cmath>

#include "report/scope_text.h"

namespace opcov {
namespace {

OrderedJson total_json(const WeightTotal& total) {
  return {{"all", number_json(total.all)},
          {"covered", number_json(total.covered)},
          {"unknown_signatures", total.unknown_signatures},
          {"unknown_calls", total.unknown_calls}};
}

}  // namespace

void WeightTotal::add(Amount of_a_call, const CoverageRow& row) {
  if (!of_a_call) {
    unknown_signatures += 1;
    unknown_calls += row.calls;
    return;
  }
  const double of_all = static_cast<double>(*of_a_call) * static_cast<double>(row.calls);
  all += of_all;
  if (row.covered()) covered += of_all;
}

void WeightTotals::add(const Weight& weight, const CoverageRow& row) {
  flops.add(weight.flops, row);
  bytes.add(weight.bytes, row);
}

OrderedJson number_json(double number) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return number < kExact ? OrderedJson(static_cast<std::uint64_t>(number)) : OrderedJson(number);
}

OrderedJson amount_json(Amount amount) { return amount ? OrderedJson(*amount) : OrderedJson(); }

OrderedJson totals_json(const WeightTotals& totals) {
  return {{"flops", total_json(totals.flops)}, {"bytes", total_json(totals.bytes)}};
}

std::string short_amount(double amount) {
  constexpr std::string_view kUnits = "kMGTPEZY";
  std::string unit;
  for (std::size_t i = 0; amount >= 999.5 && i < kUnits.size(); ++i) {
    amount /= 1000;
    unit = std::string(" ") + kUnits[i];
  }
  const int decimals = unit.empty() || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", amount, decimals, unit);
}

std::string amount_text(Amount amount) { return amount ? grouped(*amount) : "unknown"; }

}  // namespace opcov
