// The executable as a user meets it: the golden case byte for byte, exit codes, messages.
#include <gtest/gtest.h>

#include <sstream>

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
