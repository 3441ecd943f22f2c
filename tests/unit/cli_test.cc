// The executable as a user meets it: the golden case byte for byte, exit codes, messages.
#include <gtest/gtest.h>

#include <sstream>

#include "format/counts_writer.h"
#include "format/strict_json.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::shell;
using test::signature_line;

std::string scope_line(const std::string& report) {
  const std::size_t begin = report.find("  \"scope\": ");
  return report.substr(begin, report.find('\n', begin) - begin);
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(Report, ReproducesTheGoldenCase) {
  const Outcome run = shell("$OPCOV report records --inputs inputs.jsonl", test::golden(""));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  std::string expected = test::read_file(test::golden("expected_report.json"));
  const std::string theirs = scope_line(expected);
  expected.replace(expected.find(theirs), theirs.size(), scope_line(run.out));
  EXPECT_EQ(run.out, expected);
  expect_in(scope_line(run.out), "171,204 calls in 31 distinct signatures, from 8 record files of 4 ranks");
}

TEST(Report, TakesAScope) {
  const Outcome run =
      shell("$OPCOV report 'records/*.jsonl' --inputs inputs.jsonl --scope '(any text)'", test::golden(""));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, test::read_file(test::golden("expected_report.json")));
}

class Cli : public testing::Test {
 protected:
  Outcome run(const std::string& command) { return shell(command, dir_.path()); }
  void write(const std::string& name, const std::string& text) { dir_.write(name, text); }

  test::TempDir dir_;
  const std::string sound_ = header() + signature_line(0, linear(1)) + calls_line("\"0\":7") + kEnd;
};

TEST_F(Cli, ReportWritesAFileOnceAndSaysSo) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  const Outcome first = run("$OPCOV report r -o out.json");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, "");
  EXPECT_EQ(first.err, "Wrote out.json\n");
  write("out.json", "mine");
  const Outcome second = run("$OPCOV report r -o out.json");
  EXPECT_EQ(second.status, 2);
  expect_in(second.err, "opcov: out.json: exists; give another name, or --force to replace it");
  EXPECT_EQ(test::read_file(dir_.path("out.json")), "mine");
  EXPECT_EQ(run("$OPCOV report r -o out.json --force").status, 0);
  EXPECT_EQ(parse_strict(test::read_file(dir_.path("out.json")))["rows"][0]["calls"], 7);
}

TEST_F(Cli, ReportNeverReplacesWhatItReads) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("m.jsonl", "");
  EXPECT_EQ(run("$OPCOV report r -o r/metadata_rank0_pid1.jsonl --force").status, 2);
  EXPECT_EQ(run("$OPCOV report r --inputs m.jsonl -o ./m.jsonl --force").status, 2);
  EXPECT_EQ(test::read_file(dir_.path("r/metadata_rank0_pid1.jsonl")), sound_);
}

TEST_F(Cli, ReportStopsAtDamageWithFileAndLineAndWritesNothing) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("r/metadata_rank1_pid2.jsonl", header(1) + signature_line(0, linear(1)) + "junk\n" + kEnd);
  const Outcome outcome = run("$OPCOV report r -o out.json");
  EXPECT_EQ(outcome.status, 2);
  expect_in(outcome.err, "opcov: r/metadata_rank1_pid2.jsonl:3: not a JSON object on one line");
  EXPECT_FALSE(std::filesystem::exists(dir_.path("out.json")));
}

TEST_F(Cli, ATornLastLineIsAWarning) {
  write("r/metadata_rank0_pid1.jsonl", header() + signature_line(0, linear(1)) + calls_line("\"0\":7") + "{\"reco");
  const Outcome outcome = run("$OPCOV report r");
  EXPECT_EQ(outcome.status, 0);
  expect_in(outcome.err, "opcov: warning: r/metadata_rank0_pid1.jsonl:4: torn last line, left out\n");
  EXPECT_EQ(parse_strict(outcome.out)["rows"][0]["calls"], 7);
}

TEST_F(Cli, BadInputEndsWithTwo) {
  write("empty/metadata_rank0_pid1.jsonl", "");
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("m.jsonl", "{\"input\":\"a\",\"input_sha256\":\"x\",\"signature\":{}}\n");
  std::filesystem::create_directory(dir_.path("none"));
  for (const char* arguments : {"", "report", "report missing", "report none", "report empty", "report r r",
                                "report r --inputs m.jsonl", "report r --inputs missing", "report r --nonsense",
                                "report r -o no/such/folder.json", "report r -- x", "nonsense", "summary missing",
                                "summary r --top x", "verify missing", "run", "run --", "run -- /no/such/program"}) {
    const Outcome outcome = run(std::string("$OPCOV ") + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err, "") << arguments;
  }
  expect_in(run("$OPCOV report r --inputs m.jsonl").err, "m.jsonl:1: ");
}

TEST_F(Cli, AFailedWriteEndsWithThree) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  const Outcome outcome = run("$OPCOV report r > /dev/full");
  EXPECT_EQ(outcome.status, 3);
  expect_in(outcome.err, "cannot write to the standard output");
}

TEST_F(Cli, VerifySaysHowEachFileEnded) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("r/metadata_rank1_pid2.jsonl", header(1) + signature_line(0, linear(1)) + calls_line("\"0\":7"));
  const Outcome outcome = run("$OPCOV verify r");
  EXPECT_EQ(outcome.status, 0);
  expect_in(outcome.out, "r/metadata_rank0_pid1.jsonl: ok: 1 segment, rank 0, 1 signature, 7 calls, clean end\n");
  expect_in(outcome.out, "warning: r/metadata_rank1_pid2.jsonl:3: no end line and no counts sidecar");
}

TEST_F(Cli, VerifyListsEveryProblemAndAnswersNo) {
  write("r/metadata_rank0_pid1.jsonl", header() + "junk\n" + calls_line("\"4\":7") + kEnd);
  write("r/metadata_rank1_pid2.jsonl", sound_);
  const Outcome outcome = run("$OPCOV verify r");
  EXPECT_EQ(outcome.status, 1);
  expect_in(outcome.out, "r/metadata_rank0_pid1.jsonl:2: ");
  expect_in(outcome.out, "r/metadata_rank0_pid1.jsonl:3: counts for id 4");
  expect_in(outcome.out, "r/metadata_rank0_pid1.jsonl: 2 problems: ");
  expect_in(outcome.out, "r/metadata_rank1_pid2.jsonl: ok: ");
}

TEST_F(Cli, SummaryHasNoColourInAFile) {
  const Outcome outcome = shell("$OPCOV summary records --inputs inputs.jsonl", test::golden(""));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  expect_in(outcome.out, "dit     linear          12  163,200        3          0.7 %\n");
  expect_in(outcome.out, "dit    linear(bf16[1,2640,5120], bf16[5120,5120], bf16[5120]) -> bf16[1,2640,5120]\n");
}

TEST_F(Cli, SummaryKeepsToATerminalsWidthAndNoColor) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  // A pseudo-terminal of 40 columns, whose output comes back through Python.
  const std::string terminal = "OPCOV=$OPCOV TERM=xterm '" TEST_PYTHON
                               "' -c \"import pty; pty.spawn(['sh', '-c', 'stty cols 40; $OPCOV summary r'])\"";
  const Outcome plain = run("NO_COLOR=1 " + terminal);
  EXPECT_EQ(plain.out.find('\033'), std::string::npos);
  expect_in(plain.out, "...");
  std::istringstream lines(plain.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const bool heading = line.find("record file") != std::string::npos;
    EXPECT_TRUE(heading || line.size() <= 40) << line;
  }
  expect_in(run("unset NO_COLOR\n" + terminal).out, "\033[1m");
}

TEST_F(Cli, ADumbTerminalGetsNoColour) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  const Outcome outcome = run("unset NO_COLOR\nOPCOV=$OPCOV TERM=dumb '" TEST_PYTHON
                              "' -c \"import os, pty; pty.spawn([os.environ['OPCOV'], 'summary', 'r'])\"");
  expect_in(outcome.out, "7 calls in 1 distinct signature");
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
}

TEST_F(Cli, SummaryListsAsManyAsTopSays) {
  write("r/metadata_rank0_pid1.jsonl",
        header() + signature_line(0, linear(1)) + signature_line(1, linear(2)) + calls_line("\"0\":7,\"1\":5") + kEnd);
  expect_in(run("$OPCOV summary r --top 1").out, "and 1 more signature with 5 calls");
}

TEST_F(Cli, AnEmptyScopeStays) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  EXPECT_EQ(parse_strict(run("$OPCOV report r --scope ''").out)["scope"], "");
}

TEST_F(Cli, ReportChecksItsTargetBeforeItReads) {
  write("out.json", "mine");
  expect_in(run("$OPCOV report missing -o out.json").err, "opcov: out.json: exists");
}

TEST_F(Cli, AFullDiskLeavesTheOlderReportAndNothingElse) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("out.json", "mine");
  // A limit on the size of files stands in for the disk: the report's beginning fits, its end does not.
  const Outcome outcome = run("trap '' XFSZ\nulimit -f 1\n$OPCOV report r -o out.json --force");
  EXPECT_EQ(outcome.status, 3);
  expect_in(outcome.err, "opcov: out.json: cannot write: ");
  EXPECT_EQ(test::read_file(dir_.path("out.json")), "mine");
  EXPECT_EQ(run("ls").out, "out.json\nr\n");
}

TEST_F(Cli, AReportThatCannotBeMadeEndsWithThree) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  EXPECT_EQ(run("$OPCOV report r -o /proc/no_report_here.json").status, 3);
  EXPECT_EQ(run("mkdir gone && cd gone && rmdir ../gone && $OPCOV run -- true").status, 3);
}

TEST_F(Cli, ReportSaysHowManyErrorsThereAre) {
  write("r/metadata_rank0_pid1.jsonl", header() + "junk\njunk\n" + kEnd);
  expect_in(run("$OPCOV report r").err, " (and 1 more)\n");
}

TEST_F(Cli, VerifyGoesOnAfterAFileThatCannotBeRead) {
  std::filesystem::create_directories(dir_.path("r/metadata_rank0_pid1.jsonl"));
  write("r/metadata_rank1_pid2.jsonl", header(1) + "junk\n" + kEnd);
  const Outcome outcome = run("$OPCOV verify r");
  EXPECT_EQ(outcome.status, 2);
  expect_in(outcome.err, "opcov: r/metadata_rank0_pid1.jsonl: cannot be read");
  expect_in(outcome.out, "r/metadata_rank1_pid2.jsonl: 1 problem: ");
}

TEST_F(Cli, CountsThatNoSignatureHasAreAProblemToVerifyAndAWarningElsewhere) {
  write("r/metadata_rank0_pid1.jsonl", header() + signature_line(0, linear(1)));
  CountsWriter writer(dir_.path("r/metadata_rank0_pid1.counts"), 1);
  CountsBlock* block = writer.add_block(0);
  block->counts[0] = 9;
  block->counts[4] = 2;
  const std::string damage = "r/metadata_rank0_pid1.counts: 2 calls of id 4, which no signature line";
  const Outcome verified = run("$OPCOV verify r");
  EXPECT_EQ(verified.status, 1);
  expect_in(verified.out, damage);
  expect_in(verified.out,
            "r/metadata_rank0_pid1.jsonl: 1 problem: 1 segment, rank 0, 1 signature, 9 calls, no clean end (killed, or "
            "still running), counts from the sidecar\n");
  for (const char* command : {"report", "summary"}) {
    const Outcome outcome = run(std::string("$OPCOV ") + command + " r");
    EXPECT_EQ(outcome.status, 0);
    expect_in(outcome.err, "opcov: warning: " + damage);
  }
}

TEST_F(Cli, HelpAndVersionAreDone) {
  EXPECT_EQ(run("$OPCOV --version").status, 0);
  for (const char* command : {"", "report", "summary", "verify", "run"}) {
    const Outcome outcome = run(std::string("$OPCOV ") + command + " --help");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
  }
}

}  // namespace
}  // namespace opcov
