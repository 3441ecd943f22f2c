// `opcov explain` and `opcov report --detail` as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "format/signature.h"
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
      "\n  stage dit\n  96,000 calls, by rank 0: 24,000, 1: 24,000, 2: 24,000, 3: 24,000\n"
      "  FLOPs of a call: 138,412,032,000, bytes: 106,506,240\n  uncovered; nearest: " +
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
  EXPECT_EQ(told["flops"], 2ll * 2640 * 5120 * 5120);
  EXPECT_EQ(told["bytes"], 2 * (2 * 2640 * 5120 + 5120 * 5120 + 5120));
  EXPECT_EQ(json["more"], 0);
}

TEST(Explain, RefusesDigestsThatAreNoneOrSeveral) {
  const Outcome none = golden_run("explain records 0123456789");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, "opcov: no signature's digest begins with 0123456789; opcov report lists them\n");
  EXPECT_EQ(golden_run("explain 0123456789").status, 2);
  EXPECT_EQ(golden_run("explain").status, 2);
  // Three digits are no digest's, but a file's name.
  expect_in(golden_run("explain records 255").err, "opcov: 255: ");
  const Outcome negative = golden_run("explain records --top -1");
  EXPECT_EQ(negative.status, 2);
  EXPECT_EQ(negative.err,
            "opcov: explain: --top: takes a whole number from 0 to 1000000000, not -1; see opcov explain --help\n");
  EXPECT_EQ(golden_run("explain records --inputs inputs.jsonl 255d").err,
            "opcov: 255d: no such file or folder; a digest stands before --inputs, which takes every name behind it\n");
}

// Calls whose digests begin alike in four digits, by their digests: of two it takes some hundred to find them.
std::map<std::string, std::string> alike(std::size_t number) {
  std::map<std::string, std::map<std::string, std::string>> by_prefix;
  for (int rows = 1;; ++rows) {
    std::string signature = test::linear(rows);
    const std::string digest = make_signature(parse_strict(signature)).digest;
    auto& found = by_prefix[digest.substr(0, 4)];
    found[digest] = std::move(signature);
    if (found.size() == number) return found;
  }
}

std::vector<std::string> write_record(const test::TempDir& dir, const std::map<std::string, std::string>& signatures) {
  std::string record = test::header();
  std::string counts;
  std::vector<std::string> digests;
  for (const auto& [digest, signature] : signatures) {
    const std::string id = std::to_string(digests.size());
    record += test::signature_line(static_cast<int>(digests.size()), signature);
    counts += (digests.empty() ? "\"" : ",\"") + id + "\":1";
    digests.push_back(digest);
  }
  dir.write("r/metadata_rank0_pid1.jsonl", record + test::calls_line(counts) + test::kEnd);
  return digests;
}

TEST(Explain, NamesTheDigestsThatAPrefixMayMean) {
  const test::TempDir dir;
  const std::vector<std::string> digests = write_record(dir, alike(2));
  const auto run = [&](const std::string& arguments) {
    return test::shell("$OPCOV explain r " + arguments, dir.path());
  };
  const std::string prefix = digests.front().substr(0, 4);
  const Outcome both = run(prefix);
  EXPECT_EQ(both.status, 2);
  EXPECT_EQ(both.out, "");
  EXPECT_EQ(both.err, "opcov: " + prefix + " is the beginning of 2 digests: " + digests[0] + ", " + digests[1] +
                          "; give more digits\n");
  const std::size_t differ = static_cast<std::size_t>(
      std::mismatch(digests[0].begin(), digests[0].end(), digests[1].begin()).first - digests[0].begin());
  expect_in(run(digests[0].substr(0, differ + 1)).out, "  digest " + digests[0] + "\n");
  dir.write(prefix, "");
  EXPECT_EQ(run(prefix).status, 0);  // now it is a file's name
}

TEST(Explain, NamesSomeOfManyDigestsAlone) {
  const test::TempDir dir;
  const std::vector<std::string> digests = write_record(dir, alike(6));
  const std::string prefix = digests.front().substr(0, 4);
  std::string named;
  for (std::size_t i = 0; i < 5; ++i) named += (i > 0 ? ", " : "") + digests[i];
  EXPECT_EQ(test::shell("$OPCOV explain r " + prefix, dir.path()).err,
            "opcov: " + prefix + " is the beginning of 6 digests: " + named + " and 1 more; give more digits\n");
}

TEST(Explain, ListsTwelveOfManyRanksAndInputs) {
  const test::TempDir dir;
  const std::string signature = test::linear(1);
  for (int rank = 0; rank < 14; ++rank)
    dir.write("r/metadata_rank" + std::to_string(rank) + "_pid1.jsonl",
              test::header(rank) + test::signature_line(0, signature) + test::calls_line("\"0\":7") + test::kEnd);
  std::string manifest;
  std::string listed;
  for (int i = 10; i < 24; ++i) {
    manifest += "{\"input\":\"" + std::to_string(i) + ".pt\",\"signature\":" + test::linear(1, "dit", "") + "}\n";
    if (i < 22) listed += "    " + std::to_string(i) + ".pt\n";
  }
  dir.write("m.jsonl", manifest);
  const Outcome outcome = test::shell(
      "$OPCOV explain r " + make_signature(parse_strict(signature)).digest + " --inputs m.jsonl", dir.path());
  expect_in(outcome.out,
            "98 calls, by rank 0: 7, 1: 7, 2: 7, 3: 7, 4: 7, 5: 7, 6: 7, 7: 7, 8: 7, 9: 7, 10: 7, 11: 7 "
            "and 2 more\n");
  expect_in(outcome.out, "  covered by 14 inputs\n" + listed + "    and 2 more\n");
}

TEST(Explain, WhatAFileSaysDoesNotSteerTheTerminal) {
  const test::TempDir dir;
  dir.write("r/metadata_rank0_pid1.jsonl", test::header() + test::signature_line(0, test::linear(1, "\\u001b[2J")) +
                                               test::calls_line("\"0\":7") + test::kEnd);
  expect_in(test::shell("$OPCOV explain r", dir.path()).out, "  stage ?[2J\n");
}

TEST(Explain, KeepsToATerminalsWidthAndNoColor) {
  const std::string terminal = "OPCOV=$OPCOV TERM=xterm '" TEST_PYTHON
                               "' -c \"import pty; pty.spawn(['sh', '-c', 'stty cols 40; "
                               "$OPCOV explain records 255d --inputs inputs.jsonl'])\"";
  const Outcome plain = test::shell("NO_COLOR=1 " + terminal, test::golden(""));
  EXPECT_EQ(plain.out.find('\033'), std::string::npos);
  expect_in(plain.out, "linear(bf16[1,2640,5120], bf16[5120,5...\r\n");
  std::istringstream lines(plain.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    EXPECT_LE(line.size(), 40u) << line;
  }
  expect_in(test::shell("unset NO_COLOR\n" + terminal, test::golden("")).out,
            "\033[1mlinear(bf16[1,2640,5120], bf16[5120,5...\033[0m");
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
  EXPECT_EQ(detail["rows"][0]["flops"], 2ll * 2640 * 5120 * 5120);
  const Json& weights = detail["weights"];
  double flops = 0;
  for (const Json& row : detail["rows"]) flops += row["flops"].get<double>() * row["calls"].get<double>();
  EXPECT_EQ(weights["flops"]["all"], flops);
  EXPECT_EQ(weights["bytes"]["unknown_calls"], 0);
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
