// `opcov report --fail-under`: which percentages are taken, what counts, and how the command ends.
#include "report/gate.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support.h"

namespace opcov {
namespace {

TEST(Gate, TakesPercentagesFrom0To100) {
  const std::vector<std::pair<std::string, std::uint64_t>> good = {
      {"0", 0},        {"80", 80'000'000},   {"99.5", 99'500'000},
      {"0.000001", 1}, {"100", 100'000'000}, {"100.0", 100'000'000}};
  for (const auto& [text, millionths] : good) EXPECT_EQ(parse_percentage(text), millionths) << text;
  for (const char* bad : {"", ".", "80.", ".5", "-1", "+1", "100.000001", "101", "1000", "1e2", "80%", " 80", "0x10",
                          "0.0000001", "nan", "8,5", "1.2.3", "99999999999999999999"})
    EXPECT_EQ(parse_percentage(bad), std::nullopt) << bad;
}

CoverageRow row(const std::string& op, std::uint64_t calls, bool covered, bool returns_input = false) {
  Json signature = parse_strict(test::linear(static_cast<int>(calls)));
  signature["op"] = op;
  CoverageRow made{make_signature(std::move(signature)), calls, {{0, calls}}, returns_input, {}};
  if (covered) made.snapshots.push_back({"a.pt", ""});
  return made;
}

Coverage coverage_of(std::vector<CoverageRow> rows) {
  Coverage coverage;
  coverage.rows = std::move(rows);
  return coverage;
}

bool passes(const Coverage& coverage, GateBy by, const std::string& least) {
  return gate(coverage, by, *parse_percentage(least)).passed;
}

const std::string kLinear = "aten.linear.default";

TEST(Gate, CountsCallsSignaturesOrFlops) {
  // FLOPs of a call are 32 times its rows, which are as many as the calls.
  const Coverage coverage = coverage_of({row(kLinear, 29, true), row(kLinear, 70, false), row(kLinear, 1, false)});
  EXPECT_TRUE(passes(coverage, GateBy::kCalls, "29"));
  EXPECT_FALSE(passes(coverage, GateBy::kCalls, "29.000001"));
  EXPECT_TRUE(passes(coverage, GateBy::kSignatures, "33.333333"));
  EXPECT_FALSE(passes(coverage, GateBy::kSignatures, "33.333334"));
  // 29 * 29 of 29 * 29 + 70 * 70 + 1
  EXPECT_TRUE(passes(coverage, GateBy::kFlops, "14.646464"));
  EXPECT_FALSE(passes(coverage, GateBy::kFlops, "14.646466"));
  EXPECT_EQ(gate(coverage, GateBy::kCalls, *parse_percentage("30.50")).text,
            "29 of 100 calls are covered, less than the 30.5 % of --fail-under");
  EXPECT_EQ(gate(coverage, GateBy::kSignatures, 0).text, "1 of 3 signatures are covered");
  EXPECT_EQ(gate(coverage, GateBy::kFlops, 0).text, "26.9 k of 184 k FLOPs are covered");
}

TEST(Gate, LeavesOutWhereNoKernelRan) {
  const Coverage coverage = coverage_of({row(kLinear, 1, true), row(kLinear, 99, false, true)});
  for (const GateBy by : {GateBy::kCalls, GateBy::kSignatures, GateBy::kFlops})
    EXPECT_TRUE(passes(coverage, by, "100"));
  const Coverage none = coverage_of({row(kLinear, 99, false, true)});
  for (const GateBy by : {GateBy::kCalls, GateBy::kSignatures, GateBy::kFlops}) EXPECT_TRUE(passes(none, by, "100"));
}

TEST(Gate, LeavesOutUnknownFlopsAndSaysSo) {
  const Coverage some = coverage_of({row(kLinear, 5, true), row("aten.einsum.default", 7, false)});
  EXPECT_TRUE(passes(some, GateBy::kFlops, "100"));
  EXPECT_EQ(gate(some, GateBy::kFlops, 0).left_out,
            "the FLOPs of 7 calls in 1 signature are unknown and left out of the share");
  EXPECT_EQ(gate(some, GateBy::kCalls, 0).left_out, "");
  const Coverage all = coverage_of({row("aten.einsum.default", 7, true)});
  EXPECT_FALSE(passes(all, GateBy::kFlops, "0"));
  EXPECT_EQ(gate(all, GateBy::kFlops, 0).text, "no call's FLOPs are known, so none are covered; choose --by calls");
}

test::Outcome report(const test::TempDir& dir, const std::string& options) {
  return test::shell("$OPCOV report records --inputs inputs.jsonl --scope '(any text)' " + options + " --detail '" +
                         dir.path("d.json") + "' --force",
                     test::golden(""));
}

TEST(GateCli, FailsAfterTheReportWasWritten) {
  const test::TempDir dir;
  const test::Outcome low = report(dir, "--fail-under 0.8");
  EXPECT_EQ(low.status, 1);
  EXPECT_EQ(low.err, "Wrote " + dir.path("d.json") +
                         "\nopcov: report: 1,200 of 171,204 calls are covered, less than the 0.8 % of --fail-under\n");
  EXPECT_EQ(low.out, test::read_file(test::golden("expected_report.json")));
  EXPECT_TRUE(std::filesystem::exists(dir.path("d.json")));
  EXPECT_EQ(report(dir, "--fail-under 0.7").status, 0);
  EXPECT_EQ(report(dir, "--fail-under 9.67 --by signatures").status, 0);
  EXPECT_EQ(report(dir, "--fail-under 9.68 --by signatures").status, 1);
  EXPECT_EQ(report(dir, "--fail-under 100 --by flops").status, 1);
}

TEST(GateCli, WarnsOfWhatItLeavesOut) {
  const test::TempDir dir;
  Json unknown = parse_strict(test::linear(1));
  unknown["op"] = "aten.einsum.default";
  dir.write("r/metadata_rank0_pid1.jsonl", test::header() + test::signature_line(0, test::linear(1)) +
                                               test::signature_line(1, unknown.dump()) +
                                               test::calls_line("\"0\":5,\"1\":7") + test::kEnd);
  dir.write("m.jsonl", "{\"input\":\"a.pt\",\"input_sha256\":\"" + std::string(64, '0') +
                           "\",\"signature\":" + test::linear(1) + "}\n");
  const auto run = [&](const std::string& by) {
    return test::shell("$OPCOV report r --inputs m.jsonl --fail-under 50 --by " + by, dir.path());
  };
  const test::Outcome flops = run("flops");
  EXPECT_EQ(flops.status, 0);
  EXPECT_EQ(flops.err, "opcov: warning: the FLOPs of 7 calls in 1 signature are unknown and left out of the share\n");
  const test::Outcome calls = run("calls");
  EXPECT_EQ(calls.status, 1);
  EXPECT_EQ(calls.err, "opcov: report: 5 of 12 calls are covered, less than the 50 % of --fail-under\n");
}

TEST(GateCli, RefusesOptionsThatMakeNoSense) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"--inputs inputs.jsonl --fail-under 101",
       "--fail-under: takes a percentage from 0 to 100, such as 80 or 99.5, not 101; see opcov report --help"},
      {"--inputs inputs.jsonl --fail-under ''",
       "--fail-under: takes a percentage from 0 to 100, such as 80 or 99.5, not ; see opcov report --help"},
      {"--inputs inputs.jsonl --by flops", "--by says what --fail-under counts; give both"},
      {"--fail-under 80", "--fail-under has nothing to go by; give the profiled inputs by --inputs"},
  };
  for (const auto& [options, message] : all) {
    const test::Outcome outcome = test::shell("$OPCOV report records " + options, test::golden(""));
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "opcov: report: " + message + "\n");
  }
}

}  // namespace
}  // namespace opcov
