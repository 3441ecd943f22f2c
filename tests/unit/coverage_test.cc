// Adding up records to a coverage, and its JSON.
#include "report/coverage.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "format/record_reader.h"
#include "report/scope_text.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::report_json;
using test::signature_line;

class CoverageTest : public testing::Test {
 protected:
  void add(const std::string& text) {
    const RecordFile file = read_record_file(dir_.write("metadata_rank0_pid1.jsonl", text), builder_.pool());
    file.findings.throw_errors();
    builder_.add(file);
  }
  Coverage finish() { return builder_.finish(snapshots_); }

  test::TempDir dir_;
  CoverageBuilder builder_;
  SnapshotIndex snapshots_;
};

std::string one_call(int rank, int rows, const std::string& calls, const std::string& more = "") {
  return header(rank) + signature_line(0, linear(rows), more) + calls_line("\"0\":" + calls) + kEnd;
}

TEST_F(CoverageTest, LaunchesOfARankAddUpAndRanksSortAsNumbers) {
  for (int rank = 11; rank >= 0; --rank) add(one_call(rank, 1, "2"));
  add(one_call(10, 1, "5"));
  const Coverage coverage = finish();
  ASSERT_EQ(coverage.rows.size(), 1u);
  EXPECT_EQ(coverage.rows[0].calls, 29u);
  EXPECT_EQ(coverage.rows[0].calls_by_rank.at(10), (RankCalls{10, 7}));
  const std::string json = report_json(coverage, "");
  const auto at = [&](const std::string& rank) { return json.find("\"" + rank + "\": "); };
  EXPECT_LT(at("1"), at("2"));
  EXPECT_LT(at("2"), at("10"));
  EXPECT_LT(at("10"), at("11"));
}

TEST_F(CoverageTest, IdsThatDifferInDeviceAloneAddUp) {
  add(header() + signature_line(0, linear(1, "dit", "cuda:0")) + signature_line(1, linear(1, "dit", "cuda:1")) +
      calls_line("\"0\":2,\"1\":3") + kEnd);
  const Coverage coverage = finish();
  ASSERT_EQ(coverage.rows.size(), 1u);
  EXPECT_EQ(coverage.rows[0].calls, 5u);
}

TEST_F(CoverageTest, RowsStandByStageThenCallsThenDigest) {
  add(header() + signature_line(0, linear(1, "vae")) + signature_line(1, linear(2, "dit")) +
      signature_line(2, linear(3, "dit")) + signature_line(3, linear(4, "dit")) + signature_line(4, linear(5, "")) +
      calls_line("\"0\":9,\"1\":1,\"2\":1,\"3\":2,\"4\":1") + kEnd);
  const Coverage coverage = finish();
  ASSERT_EQ(coverage.rows.size(), 5u);
  EXPECT_EQ(coverage.rows[0].signature.stage, "");
  EXPECT_EQ(coverage.rows[1].calls, 2u);
  EXPECT_LT(coverage.rows[2].signature.digest, coverage.rows[3].signature.digest);
  EXPECT_EQ(coverage.rows[4].signature.stage, "vae");
  ASSERT_EQ(coverage.stages.size(), 3u);
  EXPECT_EQ(coverage.stages[1].calls, 4u);
}

TEST_F(CoverageTest, ASignatureWithoutCallsIsNoRow) {
  add(header(0) + signature_line(0, linear(1)) + signature_line(1, linear(2)) + calls_line("\"0\":1,\"1\":0") + kEnd);
  EXPECT_EQ(finish().rows.size(), 1u);
}

TEST_F(CoverageTest, ReturnsItsInputOnlyWhereEveryIdWithCallsDoes) {
  const std::string yes = ",\"returns_input\":true";
  add(one_call(0, 1, "1", yes) + one_call(1, 1, "1", yes) + one_call(2, 1, "0"));
  add(one_call(0, 2, "1", yes) + one_call(1, 2, "1"));
  add(one_call(0, 3, "1") + one_call(1, 3, "1", yes));
  const Coverage coverage = finish();
  ASSERT_EQ(coverage.rows.size(), 3u);
  for (const CoverageRow& row : coverage.rows)
    EXPECT_EQ(row.returns_input, row.signature.value()["args"][0]["shape"][0] == 1);
}

TEST_F(CoverageTest, SumsBeyond63BitsAreRefused) {
  add(one_call(0, 1, "9223372036854775807"));
  try {
    add(one_call(1, 2, "1"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("metadata_rank0_pid1.jsonl"), std::string::npos);
  }
}

TEST_F(CoverageTest, RemarksAddUpOverFiles) {
  const std::string remarks = R"({"record":"raised","ops":{"a.b.c":2}})"
                              "\n"
                              R"({"record":"notice","kind":"k","count":3,"text":"t"})"
                              "\n"
                              R"({"record":"end","unrecorded":4})"
                              "\n";
  add(header(0) + remarks);
  add(header(1) + remarks);
  add(header(2));
  const Coverage coverage = finish();
  EXPECT_EQ(coverage.remarks.raised.at("a.b.c"), 4u);
  EXPECT_EQ(coverage.remarks.notices.at({"k", "t"}), 6u);
  EXPECT_EQ(coverage.remarks.unrecorded, 8u);
  EXPECT_EQ(coverage.remarks.no_clean_end.size(), 1u);
}

TEST_F(CoverageTest, ScopeStatesTheFigures) {
  add(one_call(0, 1, "1200"));
  add(one_call(1, 1, "34"));
  const std::string scope = scope_text(finish());
  for (const char* figure : {"1,234 calls", "1 distinct signature,", "2 record files", "2 ranks", "0 profiled inputs"})
    EXPECT_NE(scope.find(figure), std::string::npos) << figure << " in " << scope;
}

TEST_F(CoverageTest, AReportOfNoCallsHasEmptyLists) {
  add(header(0) + kEnd);
  const std::string json = report_json(finish(), "s");
  EXPECT_TRUE(
      json.starts_with("{\n  \"status\": \"structural_signature_coverage_audited\",\n  \"scope\": \"s\",\n"
                       "  \"stages\": [],\n  \"rows\": [],\n  \"sources\": [\n"))
      << json;
}

TEST_F(CoverageTest, ManyLaunchesOfManyRanksAddUpRankByRank) {
  for (int launch = 0; launch < 3; ++launch)
    for (int rank = 99; rank >= 0; --rank) add(one_call(rank * 7 % 100, 1, std::to_string(rank * 7 % 100 + 1)));
  const Coverage coverage = finish();
  ASSERT_EQ(coverage.rows.at(0).calls_by_rank.size(), 100u);
  for (std::uint64_t rank = 0; rank < 100; ++rank)
    EXPECT_EQ(coverage.rows[0].calls_by_rank[rank], (RankCalls{rank, 3 * (rank + 1)}));
}

TEST_F(CoverageTest, RanksWithoutCallsAreAbsent) {
  add(one_call(0, 1, "1"));
  add(one_call(1, 1, "0"));
  EXPECT_EQ(finish().rows.at(0).calls_by_rank, (std::vector<RankCalls>{{0, 1}}));
}

TEST_F(CoverageTest, TheLargestWorldCounts) {
  add(header(0, ",\"world_size\":4") + kEnd);
  add(header(1) + kEnd);
  EXPECT_EQ(finish().world_size, 4u);
}

TEST_F(CoverageTest, AFileIsCleanWhereEverySegmentIs) {
  add(header(0) + header(1) + kEnd);
  add("");
  add(header(0) + kEnd + header(1) + kEnd);
  EXPECT_EQ(finish().remarks.no_clean_end.size(), 2u);
}

}  // namespace
}  // namespace opcov
