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

TEST_F(Cli, ReportNeverTakesTheNameOfASidecar) {
  const std::string record = header() + signature_line(0, linear(1)) + calls_line("\"0\":7");
  write("r/metadata_rank0_pid1.jsonl", record);
  CountsWriter(dir_.path("r/metadata_rank0_pid1.counts"), 1).add_block(0)->counts[0] = 9;
  const std::string counts = test::read_file(dir_.path("r/metadata_rank0_pid1.counts"));
  const Outcome outcome = run("$OPCOV report r -o r/../r/metadata_rank0_pid1.counts --force");
  EXPECT_EQ(outcome.status, 2);
  expect_in(outcome.err, "opcov: r/../r/metadata_rank0_pid1.counts: is one of the files read, or a record's sidecar");
  EXPECT_EQ(test::read_file(dir_.path("r/metadata_rank0_pid1.counts")), counts);
  // Written now, it would be read for the sidecar the next time.
  write("s/metadata_rank0_pid1.jsonl", sound_);
  EXPECT_EQ(run("$OPCOV report s -o ./s/metadata_rank0_pid1.counts").status, 2);
  EXPECT_EQ(run("ls s").out, "metadata_rank0_pid1.jsonl\n");
}

TEST_F(Cli, WhatIsNoUtf8StandsInNoReport) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  const Outcome scope = run("$OPCOV report r --scope \"$(printf 'a\\377b')\"");
  EXPECT_EQ(scope.status, 2);
  EXPECT_EQ(scope.err, "opcov: report: the text of --scope is no UTF-8; a report is JSON\n");
  write("s/metadata_\xff.jsonl", sound_);
  const Outcome name = run("$OPCOV report s");
  EXPECT_EQ(name.status, 2);
  EXPECT_EQ(name.out, "");
  expect_in(name.err, "this name is no UTF-8 and cannot stand in a report; rename the file\n");
  EXPECT_EQ(run("$OPCOV summary s").status, 0);
  write("t/metadata_\xc3\xa4.jsonl", sound_);
  EXPECT_EQ(parse_strict(run("$OPCOV report t").out)["sources"][0]["path"], "t/metadata_\xc3\xa4.jsonl");
}

TEST_F(Cli, MessagesDoNotSteerTheTerminal) {
  write("r/metadata_rank0_pid1.jsonl",
        header() + signature_line(0, linear(1)) + calls_line("\"\\u001b[2J\\u009b1m\\n\":1") + kEnd);
  const std::string says = "r/metadata_rank0_pid1.jsonl:3: \"?[2J?1m?\" in the calls line is no signature id\n";
  EXPECT_EQ(run("$OPCOV report r").err, "opcov: " + says);
  expect_in(run("$OPCOV verify r").out, says);
  write("s/metadata_\033[2J.jsonl", header());
  expect_in(run("$OPCOV report s").err, "opcov: warning: s/metadata_?[2J.jsonl:1: no end line");
}

TEST_F(Cli, UsageErrorsAreOneLineWithAHint) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  const auto whole = [](const char* option, const char* least, const char* given, const char* command) {
    return std::string(option) + ": takes a whole number from " + least + " to 1000000000, not " + given +
           "; see opcov " + command + " --help";
  };
  const std::vector<std::pair<std::string, std::string>> all = {
      {"", "A subcommand is required; see opcov --help"},
      {"nonsense", "there is no command nonsense; see opcov --help"},
      {"report", "report: RECORDS is required; see opcov report --help"},
      {"report --inputs r",
       "report: RECORDS is required; write RECORDS before --inputs, which takes every name behind "
       "it for one of theirs"},
      {"summary r --nonsense",
       "summary: The following argument was not expected: --nonsense; see opcov summary --help"},
      {"report r -o", "report: --output: 1 required FILE missing; see opcov report --help"},
      {"report r -o ''", "report: -o got an empty name; give one, or leave -o out for the standard output"},
      {"summary r --top -1", "summary: " + whole("--top", "0", "-1", "summary")},
      {"summary r --top 1.5", "summary: " + whole("--top", "0", "1.5", "summary")},
      {"diff r r --top 1000000001", "diff: " + whole("--top", "0", "1000000001", "diff")},
      {"explain r --top 18446744073709551617", "explain: " + whole("--top", "0", "18446744073709551617", "explain")},
      {"top r --iterations 0", "top: " + whole("--iterations", "1", "0", "top")},
      {"top r --iterations 0x1", "top: " + whole("--iterations", "1", "0x1", "top")},
      {"top r --interval nan", "top: --interval: takes seconds from 0.05 to 86400, not nan; see opcov top --help"},
      {"top r --interval -1", "top: --interval: takes seconds from 0.05 to 86400, not -1; see opcov top --help"},
      {"top r --interval 1s", "top: --interval: takes seconds from 0.05 to 86400, not 1s; see opcov top --help"},
      {"run sh", "run: The following argument was not expected: sh; write opcov run [OPTIONS] -- CMD..."},
  };
  for (const auto& [arguments, message] : all) {
    const Outcome outcome = run("$OPCOV " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.err, "opcov: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
  }
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
  const std::string killed = header() + signature_line(0, linear(1)) + calls_line("\"0\":7");
  write("a_clean.jsonl", sound_);
  write("b_killed.jsonl", killed);
  CountsWriter(dir_.path("b_killed.counts"), 1).add_block(0)->counts[0] = 9;
  write("c_cut.jsonl", killed);
  write("d_empty.jsonl", "");
  write("e_joined.jsonl", killed + sound_);
  const Outcome outcome = run("$OPCOV verify ?_*.jsonl");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "a_clean.jsonl: ok: 1 segment, rank 0, 1 signature, 7 calls, clean end\n"
            "warning: b_killed.jsonl: no end line: the program was killed or still runs; counts are from the sidecar\n"
            "b_killed.jsonl: ok: 1 segment, rank 0, 1 signature, 9 calls, no clean end (killed, or still running), "
            "counts from the sidecar\n"
            "warning: c_cut.jsonl:3: no end line and no counts sidecar to go by: counts are those of this last calls "
            "line, later calls are missing\n"
            "c_cut.jsonl: ok: 1 segment, rank 0, 1 signature, 7 calls, no clean end and no sidecar to go by, counts "
            "from the last calls line\n"
            "warning: d_empty.jsonl: holds no record: its program ended before it wrote a header\n"
            "d_empty.jsonl: ok: 0 segments, 0 signatures, 0 calls, no record\n"
            "warning: e_joined.jsonl:3: no end line and no counts sidecar to go by: counts are those of this last "
            "calls line, later calls are missing\n"
            "e_joined.jsonl: ok: 2 segments, 2 signatures, 14 calls, clean end of 1 segment; no clean end of 1 segment "
            "and no sidecar to go by, counts from the last calls line\n");
}

TEST_F(Cli, VerifyDoesNotGoByADamagedSidecar) {
  write("r/metadata_rank0_pid1.jsonl", header(0, ",\"pid\":1") + signature_line(0, linear(1)) + calls_line("\"0\":7"));
  CountsWriter(dir_.path("r/metadata_rank0_pid1.counts"), 2).add_block(0)->counts[0] = 9;
  const std::string cut =
      "warning: r/metadata_rank0_pid1.jsonl:3: no end line and no counts sidecar to go by: counts are those of this "
      "last calls line, later calls are missing\n"
      "r/metadata_rank0_pid1.jsonl: 1 problem: 1 segment, rank 0, 1 signature, 7 calls, no clean end and no sidecar to "
      "go by, counts from the last calls line\n";
  EXPECT_EQ(run("$OPCOV verify r").out,
            "r/metadata_rank0_pid1.counts: belongs to process 2, the record beside it to another; remove it to fall "
            "back on the record's last calls line\n" +
                cut);
  write("r/metadata_rank0_pid1.counts", "junk");
  EXPECT_EQ(run("$OPCOV verify r").out,
            "r/metadata_rank0_pid1.counts: is no counts sidecar: it does not begin with OPCOVCNT; remove the file to "
            "fall back on the record's last calls line\n" +
                cut);
}

TEST_F(Cli, ASidecarAloneIsNothingToVerify) {
  write("r/metadata_rank0_pid1.jsonl", sound_);
  write("r/metadata_rank0_pid1.counts", "");
  const Outcome outcome = run("$OPCOV verify r/metadata_rank0_pid1.counts");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "opcov: r/metadata_rank0_pid1.counts: is a counts sidecar, which is read with its record alone; give "
            "r/metadata_rank0_pid1.jsonl\n");
  EXPECT_EQ(run("$OPCOV verify r/*").status, 0);
}

TEST_F(Cli, WhatIsNoRecordIsOneProblem) {
  std::string manifest;
  for (int i = 0; i < 50; ++i) manifest += "{\"input\":\"a\"}\n";
  write("a_manifest.jsonl", manifest);
  write("b_text.jsonl", "one\ntwo\nthree\n");
  write("c_word.jsonl", "one");
  const Outcome outcome = run("$OPCOV verify ?_*.jsonl");
  EXPECT_EQ(outcome.status, 1);
  const std::string hint = "; a record file begins with its header\n";
  EXPECT_EQ(outcome.out, "a_manifest.jsonl:1: the line has no \"record\"" + hint +
                             "a_manifest.jsonl: 1 problem: 0 segments, 0 signatures, 0 calls, no record\n"
                             "b_text.jsonl:1: not a JSON object on one line: no '{' at byte 1" +
                             hint +
                             "b_text.jsonl: 1 problem: 0 segments, 0 signatures, 0 calls, no record\n"
                             "c_word.jsonl:1: not a JSON object on one line: no '{' at byte 1" +
                             hint + "c_word.jsonl: 1 problem: 0 segments, 0 signatures, 0 calls, no record\n");
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
  expect_in(outcome.out, "dit     linear          12  163,200        3          0.7 %  34.6 P         <0.1 %\n");
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
  expect_in(outcome.err, "opcov: r/metadata_rank0_pid1.jsonl: is a folder where a file is asked for");
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
