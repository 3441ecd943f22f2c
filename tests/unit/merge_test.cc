// opcov merge: what stands in the merged file, and what is refused.
#include "format/merge.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/sha256.h"
#include "format/counts_writer.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::signature_line;

// Of process `pid`, which began at the given microsecond.
std::string launch(int rank, int pid, const std::string& microsecond = "000000") {
  return header(rank, ",\"pid\":" + std::to_string(pid) + R"(,"host":"node0","started_at":"2026-01-01T00:00:00.)" +
                          microsecond + "Z\"");
}

std::string sound(int rank, int pid, const std::string& microsecond = "000000") {
  return launch(rank, pid, microsecond) + signature_line(0, linear(1)) + calls_line("\"0\":7") + kEnd;
}

const std::string kKilledEnd = "{\"record\":\"end\",\"unrecorded\":0,\"clean\":false}\n";

class Merge : public testing::Test {
 protected:
  Outcome run(const std::string& command) { return test::shell(command, dir_.path()); }
  void write(const std::string& name, const std::string& text) { dir_.write(name, text); }
  std::string read(const std::string& name) { return test::read_file(dir_.path(name)); }

  // What merging `inputs` gives; the same once more where it is merged again.
  std::string merged(const std::string& inputs) {
    const Outcome outcome = run("$OPCOV merge " + inputs + " -o m.jsonl && $OPCOV merge m.jsonl -o again.jsonl");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::string text = read("m.jsonl");
    EXPECT_EQ(read("again.jsonl"), text);
    run("rm m.jsonl again.jsonl");
    return text;
  }

  void expect_refused(const std::string& command, const std::string& says) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "opcov: " + says + "\n");
  }

  test::TempDir dir_;
};

TEST_F(Merge, SegmentsStandByRankThenStartThenContent) {
  const std::string plain = header(1) + kEnd;
  const std::string more = header(1) + signature_line(0, linear(1)) + kEnd;
  write("a.jsonl", sound(10, 1));
  write("b.jsonl", sound(2, 2, "500000") + sound(2, 2, "400000"));
  write("c.jsonl", more);
  write("d.jsonl", plain);
  const std::string by_rank = sound(2, 2, "400000") + sound(2, 2, "500000") + sound(10, 1);
  const std::string by_digest = sha256_hex(plain) < sha256_hex(more) ? plain + more : more + plain;
  EXPECT_EQ(merged("a.jsonl b.jsonl c.jsonl d.jsonl"), by_digest + by_rank);
}

TEST_F(Merge, ARankLearnedLaterCounts) {
  const std::string late = launch(0, 1) + R"({"record":"rank","rank":5,"world_size":8})" + "\n" + kEnd;
  write("a.jsonl", late);
  write("b.jsonl", sound(3, 2));
  EXPECT_EQ(merged("?.jsonl"), sound(3, 2) + late);
}

TEST_F(Merge, LinesStayAsTheyWere) {
  const std::string text =
      header(0, R"(, "host" : "n\u00f6de", "new_key":{"device":"x"})") + signature_line(7, linear(1), R"(,"newer":1)") +
      R"({ "record" : "calls", "calls" : {"7" : 3} })" + "\r\n" + R"({"record":"sample","of":"a newer minor"})" + "\n" +
      R"({"record":"raised","ops":{"aten.linear.default":2}})" + "\n" +
      R"({"record":"notice","kind":"look_alikes","count":7,"text":"t"})" + "\n" + kEnd +
      R"({"record":"after","the":"end"})" + "\n";
  write("a.jsonl", text);
  EXPECT_EQ(merged("a.jsonl"), text);
}

TEST_F(Merge, CountsOfASidecarBecomeLines) {
  const std::string record = launch(0, 1) + signature_line(0, linear(1)) + signature_line(1, linear(2)) +
                             signature_line(9, linear(3)) + calls_line("\"0\":3,\"1\":4") +
                             R"({"record":"later","kind":true})" + "\n";
  write("a.jsonl", record);
  {
    CountsWriter counts(dir_.path("a.counts"), 1);
    CountsBlock* block = counts.add_block(0);
    block->counts[0] = 5;
    block->counts[9] = 1;
    counts.count_overflow();
    counts.count_undescribed();
    counts.count_undescribed();
  }
  EXPECT_EQ(merged("a.jsonl"),
            record + calls_line("\"0\":5,\"1\":0,\"9\":1") +
                "{\"record\":\"notice\",\"kind\":\"overflow\",\"count\":1,\"text\":\"calls of signatures past the "
                "recorder's limit (OPCOV_MAX_SIGNATURES); they are in no row\"}\n"
                "{\"record\":\"end\",\"unrecorded\":2,\"clean\":false}\n");
}

TEST_F(Merge, HowEachRecordEndedStaysKnown) {
  const std::string open = signature_line(0, linear(1)) + calls_line("\"0\":7");
  write("r/metadata_a.jsonl", sound(0, 1));
  write("r/metadata_b.jsonl", launch(1, 2) + open);
  CountsWriter(dir_.path("r/metadata_b.counts"), 2).add_block(0)->counts[0] = 9;
  write("r/metadata_c.jsonl", launch(2, 3) + open);
  const std::string text = merged("r");
  EXPECT_EQ(text, sound(0, 1) + launch(1, 2) + open + calls_line("\"0\":9") + kKilledEnd + launch(2, 3) + open);
  write("m.jsonl", text);
  EXPECT_EQ(run("$OPCOV verify m.jsonl").out,
            "warning: m.jsonl:5: the program of the segment that begins here was killed, or still ran when its record "
            "was merged; its counts are those of its sidecar then\n"
            "warning: m.jsonl:12: no end line and no counts sidecar to go by: counts are those of this last calls "
            "line, later calls are missing\n"
            "m.jsonl: ok: 3 segments, 3 signatures, 23 calls, clean end of 1 segment; no clean end of 1 segment "
            "(killed, or still running), counts from the sidecar; no clean end of 1 segment and no sidecar to go by, "
            "counts from the last calls line\n");
  const Outcome summary = run("$OPCOV summary m.jsonl");
  EXPECT_NE(summary.out.find("- no clean end (killed, or still running): m.jsonl\n"), std::string::npos) << summary.out;
}

TEST_F(Merge, AFileOfOneSegmentWithoutAnEndNeedsNoSidecarAnyMore) {
  write("a.jsonl", launch(0, 1) + signature_line(0, linear(1)));
  CountsWriter(dir_.path("a.counts"), 1).add_block(0)->counts[0] = 9;
  const Outcome outcome = run("$OPCOV merge a.jsonl -o m.jsonl && rm a.* && $OPCOV verify m.jsonl");
  EXPECT_NE(outcome.out.find("m.jsonl: ok: 1 segment, rank 0, 1 signature, 9 calls, no clean end (killed"),
            std::string::npos)
      << outcome.out;
}

TEST_F(Merge, ATornLastLineIsLeftOutWithAWarning) {
  const std::string whole = launch(0, 1) + signature_line(0, linear(1)) + calls_line("\"0\":7");
  write("a.jsonl", whole + "{\"record\":\"calls\",\"calls\":{\"0\":9");
  const Outcome outcome = run("$OPCOV merge a.jsonl -o m.jsonl");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.err,
      "opcov: warning: a.jsonl:4: torn last line, left out\n"
      "opcov: warning: a.jsonl:3: no end line and no counts sidecar to go by: counts are those of this last calls "
      "line, later calls are missing\n"
      "Wrote m.jsonl\n");
  EXPECT_EQ(read("m.jsonl"), whole);
}

TEST_F(Merge, AWholeLastLineGetsTheNewlineThatItLacks) {
  const std::string text = sound(0, 1);
  write("a.jsonl", text.substr(0, text.size() - 1));
  write("b.jsonl", sound(1, 2));
  EXPECT_EQ(merged("?.jsonl"), text + sound(1, 2));
}

TEST_F(Merge, FilesWithoutARecordAddNothing) {
  write("a.jsonl", sound(0, 1));
  write("b.jsonl", "");
  write("c.jsonl", "{\"record\":\"hea");
  EXPECT_EQ(merged("?.jsonl"), sound(0, 1));
  expect_refused("$OPCOV merge b.jsonl c.jsonl -o m.jsonl",
                 "b.jsonl: no file given holds a record; was the program ended before its first call?");
}

TEST_F(Merge, WhatBreaksTheFormatIsRefusedAndNothingWritten) {
  write("a.jsonl", sound(0, 1));
  write("b.jsonl", launch(1, 2) + "junk\n" + kEnd + kEnd);
  expect_refused("$OPCOV merge ?.jsonl -o m.jsonl",
                 "b.jsonl:2: not a JSON object on one line: no '{' at byte 1 (and 1 more)");
  EXPECT_EQ(run("ls").out, "a.jsonl\nb.jsonl\n");
}

TEST_F(Merge, TheSumOfAllCountsStaysInRange) {
  const auto most = [](int pid, const std::string& calls) {
    return launch(0, pid) + signature_line(0, linear(1)) + calls_line("\"0\":" + calls) + kEnd;
  };
  write("a.jsonl", most(1, "9223372036854775807"));
  write("b.jsonl", most(2, "0"));
  write("c.jsonl", most(3, "1"));
  EXPECT_EQ(run("$OPCOV merge a.jsonl b.jsonl -o m.jsonl").status, 0);
  expect_refused("$OPCOV merge a.jsonl b.jsonl c.jsonl -o n.jsonl",
                 "c.jsonl: its counts take the sum over all files beyond 2^63-1; a count there must be wrong");
}

TEST_F(Merge, AnOutputThatIsThereIsReplacedByForceAlone) {
  write("a.jsonl", sound(0, 1));
  write("m.jsonl", "mine");
  expect_refused("$OPCOV merge a.jsonl -o m.jsonl", "m.jsonl: exists; give another name, or --force to replace it");
  EXPECT_EQ(read("m.jsonl"), "mine");
  EXPECT_EQ(run("$OPCOV merge a.jsonl -o m.jsonl --force").status, 0);
  EXPECT_EQ(read("m.jsonl"), sound(0, 1));
}

TEST_F(Merge, AnOutputThatIsReadIsNeverReplaced) {
  write("r/metadata_a.jsonl", sound(0, 1));
  std::filesystem::create_hard_link(dir_.path("r/metadata_a.jsonl"), dir_.path("link.jsonl"));
  for (const std::string name : {"r/metadata_a.jsonl", "./r/../r/metadata_a.jsonl", "link.jsonl"})
    expect_refused("$OPCOV merge r --force -o " + name, name + ": is one of the files read; give another name");
  EXPECT_EQ(read("r/metadata_a.jsonl"), sound(0, 1));
}

TEST_F(Merge, AnOutputNeverStandsForOrBesideASidecar) {
  write("a.jsonl", sound(0, 1));
  expect_refused("$OPCOV merge a.jsonl -o a.counts",
                 "a.counts: is a sidecar's name; give the merged file one that ends in .jsonl");
  write("m.counts", "");
  expect_refused("$OPCOV merge a.jsonl -o m.jsonl",
                 "m.counts: is another record's sidecar, and would be read with m.jsonl; give another name");
}

TEST_F(Merge, TheCommandLineNeedsBothSides) {
  write("a.jsonl", sound(0, 1));
  expect_refused("$OPCOV merge a.jsonl -o ''", "merge: -o got an empty name; give one");
  expect_refused("$OPCOV merge a.jsonl", "merge: --output is required; see opcov merge --help");
  expect_refused("$OPCOV merge -o m.jsonl", "merge: RECORDS is required; see opcov merge --help");
  expect_refused("$OPCOV merge a.jsonl -o /dev/full", "/dev/full: is not a regular file; give another name");
  expect_refused("$OPCOV merge a.jsonl -o no/m.jsonl", "no/m.jsonl: there is no folder no; make it first");
  expect_refused("$OPCOV merge a.jsonl ./a.jsonl -o m.jsonl",
                 "a.jsonl: given twice (also as ./a.jsonl); its calls would count twice, leave one out");
}

TEST_F(Merge, AFileThatChangesMeanwhileIsAFailure) {
  const std::string path = dir_.write("a.jsonl", sound(0, 1));
  const MergePlan plan = plan_merge({path});
  const auto written = [&] {
    std::string text;
    write_merged(plan, [&](std::string_view piece) { text += piece; });
    return text;
  };
  EXPECT_EQ(written(), sound(0, 1));
  dir_.write("a.jsonl", sound(0, 1) + sound(1, 1));  // it grew: not our segment's concern
  EXPECT_EQ(written(), sound(0, 1));
  for (const std::string& other : {sound(1, 1), std::string()}) {
    dir_.write("a.jsonl", other);
    try {
      written();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kFailure);
      EXPECT_EQ(error.what(),
                path + ": was changed by another program while it was merged; nothing was written, try again");
    }
  }
}

}  // namespace
}  // namespace opcov
