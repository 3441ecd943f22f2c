// What differs between two runs, on made-up sides; and `opcov diff` as a user meets it.
#include "report/diff.h"

#include <gtest/gtest.h>

#include "format/strict_json.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::signature_line;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

// Signatures with so many rows, with their calls.
std::string record(const std::vector<std::pair<int, int>>& calls) {
  std::string lines = header();
  std::string counts;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    lines += signature_line(static_cast<int>(i), linear(calls[i].first));
    counts += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":" + std::to_string(calls[i].second);
  }
  return lines + calls_line(counts) + kEnd;
}

std::string manifest_line(int rows) {
  return "{\"input\":\"" + std::to_string(rows) + ".pt\",\"input_sha256\":\"" + std::string(64, '0') +
         "\",\"signature\":" + linear(rows, "dit", "") + "}\n";
}

class DiffCli : public testing::Test {
 protected:
  DiffCli() {
    dir_.write("a/metadata_rank0_pid1.jsonl", record({{1, 10}, {2, 20}, {3, 30}, {4, 40}}));
    dir_.write("b/metadata_rank0_pid1.jsonl", record({{1, 10}, {3, 35}, {4, 1}, {5, 50}, {6, 60}}));
    dir_.write("m.jsonl", manifest_line(1) + manifest_line(3));
    dir_.write("n.jsonl", manifest_line(4));
  }
  Outcome run(const std::string& arguments) { return test::shell("$OPCOV " + arguments, dir_.path()); }
  Json json(const std::string& arguments) {
    const Outcome outcome = run("diff " + arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return parse_strict(outcome.out);
  }

  test::TempDir dir_;
};

// "rows:calls in A:calls in B" of each.
std::string told(const Json& list) {
  std::string text;
  for (const Json& row : list) {
    const std::string call = row["call"];
    const std::size_t begin = call.find('[') + 1;
    text += (text.empty() ? "" : " ") + call.substr(begin, call.find(',') - begin) + ":" + row["calls_a"].dump() + ":" +
            row["calls_b"].dump();
  }
  return text;
}

TEST_F(DiffCli, TellsWhatIsLostGainedAndCalledMoreOrLessOften) {
  const Json json = this->json("a b");
  EXPECT_EQ(json["format"], "opcov-diff");
  EXPECT_EQ(json["a"], Json::parse(R"({"name":"a","signatures":4,"calls":100,"covered_signatures":null,)"
                                   R"("covered_calls":null})"));
  EXPECT_EQ(told(json["lost"]), "2:20:0");
  EXPECT_EQ(told(json["gained"]), "6:0:60 5:0:50");
  EXPECT_EQ(told(json["counts"]), "4:40:1 3:30:35");
  EXPECT_EQ(json["coverage_lost"], Json::array());
  EXPECT_EQ(json["lost"][0]["covered_a"], nullptr);
}

TEST_F(DiffCli, IsReadByPeopleToo) {
  const Outcome outcome = run("diff a b --top 1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out,
            "A  100 calls in 4 distinct signatures: a\n"
            "B  156 calls in 5 distinct signatures: b\n"
            "\n"
            "Lost, in A alone: 1 signature\n"
            "calls in A  in B  change  stage  signature\n"
            "        20     -     -20  dit    linear(bf16[2,4], bf16[4,4]) -> bf16[2,4]\n"
            "\n"
            "Gained, in B alone: 2 signatures\n"
            "calls in A  in B  change  stage  signature\n"
            "         -    60     +60  dit    linear(bf16[6,4], bf16[4,4]) -> bf16[6,4]\n"
            "and 1 more signature (--top shows more)\n"
            "\n"
            "Called more or less often: 2 signatures\n"
            "calls in A  in B  change  stage  signature\n"
            "        40     1     -39  dit    linear(bf16[4,4], bf16[4,4]) -> bf16[4,4]\n"
            "and 1 more signature (--top shows more)\n");
  EXPECT_EQ(run("diff a a").out,
            "A  100 calls in 4 distinct signatures: a\nB  100 calls in 4 distinct signatures: a\n\nno difference\n");
}

TEST_F(DiffCli, ReportsStandForTheRecordsTheyWereMadeOf) {
  ASSERT_EQ(run("report a --inputs m.jsonl -o before").status, 0);
  ASSERT_EQ(run("report b --inputs n.jsonl -o after.json").status, 0);
  const Json reports = json("before after.json");
  EXPECT_EQ(told(reports["lost"]), "2:20:0");
  EXPECT_EQ(told(reports["counts"]), "4:40:1 3:30:35");
  EXPECT_EQ(told(reports["coverage_lost"]), "3:30:35 1:10:10");
  EXPECT_EQ(told(reports["coverage_gained"]), "4:40:1");
  EXPECT_EQ(reports["a"]["covered_calls"], 40);
  EXPECT_EQ(reports["b"]["covered_signatures"], 1);
  const Json mixed = json("before b");
  EXPECT_EQ(mixed["coverage_lost"], Json::array());
  EXPECT_EQ(mixed["b"]["covered_calls"], nullptr);
  const Json by_inputs = json("before after.json --inputs m.jsonl");
  EXPECT_EQ(by_inputs["coverage_lost"], Json::array());
  EXPECT_EQ(by_inputs["b"]["covered_calls"], 45);
}

TEST_F(DiffCli, FailsOnWhatItIsToldToFailOn) {
  const Outcome both = run("diff a b --fail-on lost,counts");
  EXPECT_EQ(both.status, 1);
  EXPECT_EQ(both.err,
            "opcov: diff: 1 signature lost (--fail-on lost)\n"
            "opcov: diff: 2 signatures called more or less often (--fail-on counts)\n");
  expect_in(both.out, "Lost, in A alone: 1 signature\n");
  EXPECT_EQ(run("diff a b --fail-on gained").err, "opcov: diff: 2 signatures gained (--fail-on gained)\n");
  EXPECT_EQ(run("diff a a --fail-on lost,gained,counts").status, 0);
  dir_.write("less/metadata_rank0_pid1.jsonl", record({{1, 10}}));
  EXPECT_EQ(run("diff less a --fail-on lost,counts").status, 0);
  EXPECT_EQ(run("diff less a --fail-on gained").status, 1);
}

TEST_F(DiffCli, FailsOnLostCoverageAlone) {
  ASSERT_EQ(run("report a --inputs m.jsonl -o some").status, 0);
  ASSERT_EQ(run("report a --inputs m.jsonl n.jsonl -o more").status, 0);
  EXPECT_EQ(run("diff some more --fail-on coverage").status, 0);
  const Outcome worse = run("diff more some --fail-on coverage");
  EXPECT_EQ(worse.status, 1);
  EXPECT_EQ(worse.err, "opcov: diff: 1 signature no longer covered (--fail-on coverage)\n");
  expect_in(worse.out, "No longer covered: 1 signature\n");
  const Outcome open = run("diff a some --fail-on coverage");
  EXPECT_EQ(open.status, 2);
  EXPECT_EQ(open.err, "opcov: diff: --fail-on coverage needs --inputs, or two reports that were made with them\n");
  EXPECT_EQ(open.out, "");
}

TEST_F(DiffCli, RefusesWhatItDoesNotUnderstand) {
  ASSERT_EQ(run("report a -o report.json").status, 0);
  const std::string report = test::read_file(dir_.path("report.json"));
  const auto refused = [&](const std::string& text, const std::string& message) {
    dir_.write("odd.json", text);
    const Outcome outcome = run("diff a odd.json");
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_EQ(outcome.out, "");
    expect_in(outcome.err, "opcov: odd.json");
    expect_in(outcome.err, message);
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = report;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  refused("{\n}\n", ": is neither a record nor a report of opcov: it has no status of a report or no rows");
  refused("{\n", ": is neither a record nor a report of opcov: ");
  refused("junk\n", ":1: not a JSON object on one line");
  refused(changed("\"calls\": 40,", "\"calls\": -40,"), ": row 0: it lacks its calls or its inputs");
  refused(changed("      \"signature_sha256\": \"", "      \"signature_sha256\": \"0"),
          ": row 0: its digest is not that of its signature");
  refused(changed("\"kwargs\": {},", ""), ": row 0: the signature has no \"kwargs\"");
  refused(changed("\"rows\": [", "\"rows\": [1,"), ": row 0: it is no object");
  const std::size_t row = report.find("    {\n      \"signature\"");
  const std::size_t next = report.find("    {\n      \"signature\"", row + 1);
  refused(changed("\"rows\": [", "\"rows\": [" + report.substr(row, next - row)), ": has two rows of one signature, ");
  refused(changed("\"calls\": 40,", "\"calls\": 9223372036854775807,"), ": its calls add up to more than 2^63-1");
  EXPECT_EQ(run("diff a missing").status, 2);
  EXPECT_EQ(run("diff a").status, 2);
  EXPECT_EQ(run("diff a b c").status, 2);
  EXPECT_EQ(run("diff --fail-on lost a b").status, 1);
  EXPECT_EQ(run("diff a --fail-on gained --fail-on lost b").err, run("diff a b --fail-on lost,gained").err);
  EXPECT_EQ(run("diff a b --fail-on lost gained").status, 2);
  const Outcome kinds = run("diff a b --fail-on losses");
  EXPECT_EQ(kinds.status, 2);
  expect_in(kinds.err, "opcov: diff: --fail-on: losses not in {");
}

TEST_F(DiffCli, CountsAreInTheOrderOfTheirChangeAndCoverageInThatOfCalls) {
  dir_.write("x/metadata_rank0_pid1.jsonl", record({{1, 100}, {2, 10}}));
  dir_.write("y/metadata_rank0_pid1.jsonl", record({{1, 101}, {2, 60}}));
  dir_.write("all.jsonl", manifest_line(1) + manifest_line(2));
  dir_.write("none.jsonl", manifest_line(7));
  ASSERT_EQ(run("report x --inputs all.jsonl -o x.json").status, 0);
  ASSERT_EQ(run("report y --inputs none.jsonl -o y.json").status, 0);
  const Json json = this->json("x.json y.json");
  EXPECT_EQ(told(json["counts"]), "2:10:60 1:100:101");
  EXPECT_EQ(told(json["coverage_lost"]), "1:100:101 2:10:60");
}

TEST_F(DiffCli, ShowsCoverageThatChangedAndCallsThatDidNot) {
  ASSERT_EQ(run("report a --inputs m.jsonl -o some").status, 0);
  ASSERT_EQ(run("report a --inputs m.jsonl n.jsonl -o more").status, 0);
  EXPECT_EQ(run("diff some more").out,
            "A  100 calls in 4 distinct signatures, of which 40 calls in 2 signatures covered: some\n"
            "B  100 calls in 4 distinct signatures, of which 80 calls in 3 signatures covered: more\n"
            "\n"
            "Newly covered: 1 signature\n"
            "calls in A  in B  change  stage  signature\n"
            "        40    40      +0  dit    linear(bf16[4,4], bf16[4,4]) -> bf16[4,4]\n");
}

TEST_F(DiffCli, CanLeaveSignaturesOut) {
  EXPECT_EQ(run("diff a b --top 0").out,
            "A  100 calls in 4 distinct signatures: a\n"
            "B  156 calls in 5 distinct signatures: b\n"
            "\n"
            "Lost, in A alone: 1 signature\n"
            "and 1 more signature (--top shows more)\n"
            "\n"
            "Gained, in B alone: 2 signatures\n"
            "and 2 more signatures (--top shows more)\n"
            "\n"
            "Called more or less often: 2 signatures\n"
            "and 2 more signatures (--top shows more)\n");
}

TEST_F(DiffCli, WarnsOfBothSides) {
  dir_.write("torn_a/metadata_rank0_pid1.jsonl", header() + signature_line(0, linear(1)) + calls_line("\"0\":7") + "{");
  dir_.write("torn_b/metadata_rank0_pid1.jsonl", header() + signature_line(0, linear(2)) + calls_line("\"0\":7") + "{");
  const Outcome outcome = run("diff torn_a torn_b");
  EXPECT_EQ(outcome.status, 0);
  for (const char* side : {"torn_a", "torn_b"})
    expect_in(outcome.err, std::string("opcov: warning: ") + side + "/metadata_rank0_pid1.jsonl:4: torn last line");
}

TEST_F(DiffCli, NamesDoNotSteerTheTerminal) {
  dir_.write("\033[2J/metadata_rank0_pid1.jsonl", record({{1, 10}}));
  expect_in(run("diff a $(printf '\\033[2J')").out, "B  10 calls in 1 distinct signature: ?[2J\n");
}

TEST_F(DiffCli, KeepsToATerminalsWidthAndHasBoldTitles) {
  const Outcome outcome =
      test::shell("unset NO_COLOR\nOPCOV=$OPCOV TERM=xterm '" TEST_PYTHON
                  "' -c \"import pty; pty.spawn(['sh', '-c', 'stty cols 50; $OPCOV diff a b --top 1'])\"",
                  dir_.path());
  expect_in(outcome.out, "\033[1mLost, in A alone: 1 signature\033[0m\r\n");
  expect_in(outcome.out, "        20     -     -20  dit    linear(bf16[2,...\r\n");
}

TEST_F(DiffCli, AReportWithWindowsLineEndsIsOneToo) {
  ASSERT_EQ(run("report a -o report.json").status, 0);
  ASSERT_EQ(test::shell("sed 's/$/\\r/' report.json > windows.json", dir_.path()).status, 0);
  EXPECT_EQ(told(json("windows.json b")["lost"]), "2:20:0");
}

TEST_F(DiffCli, AReportOnOneLineIsOneToo) {
  ASSERT_EQ(run("report a -o report.json").status, 0);
  dir_.write("line.json", parse_strict(test::read_file(dir_.path("report.json"))).dump());
  EXPECT_EQ(run("diff line.json a").status, 0);
  EXPECT_EQ(told(json("line.json b")["lost"]), "2:20:0");
}

}  // namespace
}  // namespace opcov
