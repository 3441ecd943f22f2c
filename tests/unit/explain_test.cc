// `opcov explain` and `opcov report --detail` as a user meets them.
#include <gtest/gtest.h>

#include <filesystem>

#include "format/strict_json.h"
#include "support.h"

namespace opcov {
namespace {

using test::Outcome;

const std::string kRow = "255d8b6427b0b5a79c74a59d751e921af25bbb329fb9011dc0ba8d8b5cc46d94";
const std::string kNearest = "snapshots/480x832/dit_rank0_219f95ed22b746a3.pt";

Outcome golden_run(const std::string& arguments) { return test::shell("$OPCOV " + arguments, test::golden("")); }

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(Explain, TellsAllOfOneSignature) {
  const Outcome outcome = golden_run("explain records 255d --inputs inputs.jsonl");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with(
      "linear(bf16[1,2640,5120], bf16[5120,5120], bf16[5120]) -> bf16[1,2640,5120]\n  digest " + kRow +
      "\n  stage dit\n  96,000 calls, by rank 0: 24,000, 1: 24,000, 2: 24,000, 3: 24,000\n  uncovered; nearest: " +
      kNearest + "\n    arg 0 dim 1: 2640 in the run, 1170 in the snapshot\n"))
      << outcome.out;
  expect_in(golden_run("explain records 18b6649 --inputs inputs.jsonl").out,
            "  covered by 1 input\n    snapshots/480x832/dit_rank0_10a11d3772070763.pt\n");
}

TEST(Explain, ListsTheUncoveredByTheirCalls) {
  const Outcome outcome = golden_run("explain records --top 2 --inputs inputs.jsonl");
  expect_in(outcome.out, "\n\nand 26 more uncovered signatures (--top shows more)\n");
  EXPECT_LT(outcome.out.find("96,000 calls"), outcome.out.find("19,200 calls"));
}

TEST(Explain, WritesJson) {
  const Json json = parse_strict(golden_run("explain records " + kRow + " --json --inputs inputs.jsonl").out);
  const Json& told = json["signatures"][0];
  EXPECT_EQ(told["signature_sha256"], kRow);
  EXPECT_EQ(told["calls_by_rank"]["3"], 24000);
  EXPECT_EQ(told["near_misses"][0]["input"], kNearest);
  EXPECT_EQ(told["inputs"], Json::array());
  EXPECT_EQ(told["signature"]["op"], "aten.linear.default");
  EXPECT_EQ(json["more"], 0);
}

TEST(Explain, RefusesDigestsThatAreNoneOrSeveral) {
  const Outcome none = golden_run("explain records 0123456789");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, "opcov: no signature's digest begins with 0123456789; opcov report lists them\n");
  EXPECT_EQ(golden_run("explain 0123456789").status, 2);
  EXPECT_EQ(golden_run("explain").status, 2);
}

TEST(Detail, StandsBesideAReportThatItDoesNotChange) {
  const test::TempDir dir;
  const Outcome outcome =
      golden_run("report records --inputs inputs.jsonl --scope '(any text)' --detail '" + dir.path("d.json") + "'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, test::read_file(test::golden("expected_report.json")));
  const Json detail = parse_strict(test::read_file(dir.path("d.json")));
  EXPECT_EQ(detail["format"], "opcov-detail");
  ASSERT_EQ(detail["rows"].size(), 31u);
  EXPECT_EQ(detail["rows"][0]["signature_sha256"], kRow);
  EXPECT_EQ(detail["rows"][0]["near_misses"][0]["differences"][0],
            Json::parse(R"({"where":"arg 0","what":"dim 1","run":"2640","snapshot":"1170",)"
                        R"("text":"arg 0 dim 1: 2640 in the run, 1170 in the snapshot"})"));
  EXPECT_EQ(detail["remarks"]["notices"], Json::array());
  for (const Json& row : detail["rows"]) EXPECT_EQ(row["near_misses"].empty(), row["covered"].get<bool>());
}

TEST(Detail, IsNoFileThatIsReadOrWrittenOtherwise) {
  const test::TempDir dir;
  dir.write("r/metadata_rank0_pid1.jsonl",
            test::header() + test::signature_line(0, test::linear(1)) + test::calls_line("\"0\":7") + test::kEnd);
  const auto status = [&](const std::string& options) {
    return test::shell("$OPCOV report r " + options, dir.path()).status;
  };
  EXPECT_EQ(status("--detail r/metadata_rank0_pid1.jsonl --force"), 2);
  EXPECT_EQ(status("-o a.json --detail ./a.json"), 2);
  EXPECT_EQ(status("--detail ''"), 2);
  EXPECT_FALSE(std::filesystem::exists(dir.path("a.json")));
  EXPECT_EQ(status("-o a.json --detail d.json"), 0);
  EXPECT_EQ(status("-o b.json --detail d.json"), 2);
  EXPECT_FALSE(std::filesystem::exists(dir.path("b.json")));
}

}  // namespace
}  // namespace opcov
