#include "report/summary_totals.h"

namespace opcov {
namespace {

void add_row(SummaryTotals& totals, const CoverageRow& row, const Weight& weight) {
  totals.flops.add(weight.flops, row);
  totals.signatures += 1;
  totals.calls += row.calls;
  if (row.returns_input) totals.no_kernel_calls += row.calls;
  if (row.covered() && !row.returns_input) totals.covered_signatures += 1, totals.covered_calls += row.calls;
}

}  // namespace

CoverageTotals totals_of(const Coverage& coverage) {
  CoverageTotals totals;
  for (const CoverageRow& row : coverage.rows) {
    const Weight weight = weight_of(row, row.signature.value());
    add_row(totals.by_operator[{row.signature.stage, row.signature.op}], row, weight);
    add_row(totals.all, row, weight);
  }
  return totals;
}

}  // namespace opcov
