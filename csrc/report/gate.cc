#include "report/gate.h"

#include <fmt/format.h>

#include <charconv>

#include "report/scope_text.h"
#include "report/weight_totals.h"

namespace opcov {
namespace {

constexpr std::size_t kDecimals = 6;
constexpr std::uint64_t kOnePercent = 1'000'000;

struct Work {
  double all = 0;
  double covered = 0;
  std::string text;  // "1,204 of 171,204 calls"
};

std::string part_text(std::uint64_t part, std::uint64_t whole, const std::string& noun) {
  return grouped(part) + " of " + counted(whole, noun);
}

Work work_of(const Coverage& coverage, GateBy by, WeightTotal& flops) {
  std::uint64_t signatures = 0, covered_signatures = 0, calls = 0, covered_calls = 0;
  for (const CoverageRow& row : coverage.rows) {
    if (row.returns_input) continue;
    signatures += 1;
    calls += row.calls;
    if (row.covered()) covered_signatures += 1, covered_calls += row.calls;
    if (by == GateBy::kFlops) flops.add(weight_of(row, row.signature.value()).flops, row);
  }
  const auto exact = [](std::uint64_t number) { return static_cast<double>(number); };
  switch (by) {
    case GateBy::kCalls: return {exact(calls), exact(covered_calls), part_text(covered_calls, calls, "call")};
    case GateBy::kSignatures:
      return {exact(signatures), exact(covered_signatures), part_text(covered_signatures, signatures, "signature")};
    case GateBy::kFlops:
      return {flops.all, flops.covered, short_amount(flops.covered) + " of " + short_amount(flops.all) + " FLOPs"};
  }
  return {};
}

// 80000000 -> "80", 99500000 -> "99.5".
std::string percentage_text(std::uint64_t millionths) {
  std::string text = fmt::format("{}.{:06}", millionths / kOnePercent, millionths % kOnePercent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::optional<std::uint64_t> parse_percentage(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::string whole = text.substr(0, dot);
  std::string decimals = dot == std::string::npos ? "" : text.substr(dot + 1);
  const bool digits = (whole + decimals).find_first_not_of("0123456789") == std::string::npos;
  if (!digits || whole.empty() || whole.size() > 3 || decimals.size() > kDecimals) return std::nullopt;
  if (dot != std::string::npos && decimals.empty()) return std::nullopt;
  decimals.resize(kDecimals, '0');
  const std::uint64_t millionths = std::stoull(whole + decimals);
  if (millionths > 100 * kOnePercent) return std::nullopt;
  return millionths;
}

GateResult gate(const Coverage& coverage, GateBy by, std::uint64_t least) {
  WeightTotal flops;
  const Work work = work_of(coverage, by, flops);
  GateResult result;
  if (flops.unknown_calls > 0)
    result.left_out = "the FLOPs of " + counted(flops.unknown_calls, "call") + " in " +
                      counted(flops.unknown_signatures, "signature") + " are unknown and left out of the share";
  const bool none_known = work.all == 0 && flops.unknown_calls > 0;
  // Products, not a quotient: 29 of 100 are 29 %.
  const long double needed = static_cast<long double>(least) * work.all;
  result.passed = !none_known && static_cast<long double>(work.covered) * 100 * kOnePercent >= needed;
  result.text = work.text + " are covered";
  if (!result.passed) result.text += ", less than the " + percentage_text(least) + " % of --fail-under";
  if (none_known) result.text = "no call's FLOPs are known, so none are covered; choose --by calls";
  return result;
}

}  // namespace opcov
