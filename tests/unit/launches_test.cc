// One launch in two inputs: refused by everything that adds calls up.
#include <gtest/gtest.h>

#include <filesystem>

#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::signature_line;

std::string record(const std::string& started_at, int calls, int pid = 42) {
  return header(pid - 42, ",\"pid\":" + std::to_string(pid) + R"(,"host":"node0","started_at":")" + started_at + "\"") +
         signature_line(0, linear(1)) + calls_line("\"0\":" + std::to_string(calls)) + kEnd;
}

const std::string kBegin = "2026-01-01T00:00:00.000001Z";
const std::string kWholeSecond = "2026-01-01T00:00:00Z";

class Launches : public testing::Test {
 protected:
  Outcome run(const std::string& command) { return test::shell(command, dir_.path()); }

  void expect_accepted(const std::string& files) {
    for (const std::string& command : commands(files)) {
      const Outcome outcome = run(command);
      EXPECT_EQ(outcome.status, 0) << command << outcome.err;
    }
  }

  void expect_twice(const std::string& files, const std::string& second, const std::string& first) {
    for (const std::string& command : commands(files)) {
      const Outcome outcome = run(command);
      EXPECT_EQ(outcome.status, 2) << command;
      EXPECT_EQ(outcome.err, "opcov: " + second + ": the launch that begins here is in " + first +
                                 " too; its calls would count twice, leave one of the two out\n");
    }
    EXPECT_FALSE(std::filesystem::exists(dir_.path("out.jsonl")));
  }

  test::TempDir dir_;

 private:
  static std::vector<std::string> commands(const std::string& files) {
    return {"$OPCOV merge " + files + " -o out.jsonl && rm out.jsonl", "$OPCOV report " + files,
            "$OPCOV summary " + files, "$OPCOV explain " + files};
  }
};

TEST_F(Launches, AMergedFileBesideOneOfItsSources) {
  dir_.write("a.jsonl", record(kBegin, 1));
  dir_.write("b.jsonl", record(kBegin, 2, 43));
  run("$OPCOV merge a.jsonl b.jsonl -o m.jsonl");
  expect_twice("b.jsonl m.jsonl", "m.jsonl:5", "b.jsonl:1");
}

TEST_F(Launches, TwoMergedFilesThatOverlap) {
  dir_.write("a.jsonl", record(kBegin, 1));
  dir_.write("b.jsonl", record(kBegin, 2, 43));
  dir_.write("c.jsonl", record(kBegin, 3, 44));
  run("$OPCOV merge a.jsonl b.jsonl -o m.jsonl; $OPCOV merge b.jsonl c.jsonl -o n.jsonl");
  expect_twice("m.jsonl n.jsonl", "n.jsonl:1", "m.jsonl:5");
}

TEST_F(Launches, ACopyTakenWhileTheProgramRan) {
  const std::string whole = record(kBegin, 7);
  dir_.write("early.jsonl", whole.substr(0, whole.find('\n') + 1));
  dir_.write("late.jsonl", whole);
  expect_twice("early.jsonl late.jsonl", "late.jsonl:1", "early.jsonl:1");
}

TEST_F(Launches, AFileThatHoldsOneTwice) {
  dir_.write("a.jsonl", record(kBegin, 1) + record(kBegin, 1));
  expect_twice("a.jsonl", "a.jsonl:5", "a.jsonl:1");
}

TEST_F(Launches, AreToldApartByHostProcessStartAndRank) {
  std::string all;
  for (const char* more : {R"("pid":1,"host":"a","started_at":"2026-01-01T00:00:00.1Z")",
                           R"("pid":2,"host":"a","started_at":"2026-01-01T00:00:00.1Z")",
                           R"("pid":1,"host":"b","started_at":"2026-01-01T00:00:00.1Z")",
                           R"("pid":1,"host":"a","started_at":"2026-01-01T00:00:00.2Z")"})
    for (int rank : {0, 1}) all += header(rank, std::string(",") + more) + kEnd;
  dir_.write("a.jsonl", all);
  expect_accepted("a.jsonl");
}

TEST_F(Launches, HeadersThatNameNoneSayNothing) {
  dir_.write("a.jsonl", header() + kEnd + header() + kEnd);
  dir_.write("b.jsonl", header() + kEnd);
  expect_accepted("a.jsonl b.jsonl");
}

// Records of recorders that wrote whole seconds.

TEST_F(Launches, OfAProcessThatRecordedTwiceWithinASecond) {
  dir_.write("r/metadata_rank0_pid42.jsonl", record(kWholeSecond, 1));
  dir_.write("r/metadata_rank0_pid42_2.jsonl", record(kWholeSecond, 2));
  expect_accepted("r");
  run("$OPCOV merge r -o m.jsonl");
  expect_accepted("m.jsonl");
  expect_twice("m.jsonl r/metadata_rank0_pid42.jsonl", "r/metadata_rank0_pid42.jsonl:1", "m.jsonl:1");
}

TEST_F(Launches, OfWholeSecondsElsewhereAreTheSame) {
  dir_.write("r/metadata_rank0_pid42.jsonl", record(kWholeSecond, 1));
  dir_.write("copy/metadata_rank0_pid42_2.jsonl", record(kWholeSecond, 1));
  dir_.write("r/metadata_rank0_pid421.jsonl", record(kWholeSecond, 1));
  expect_twice("r/metadata_rank0_pid42.jsonl copy", "r/metadata_rank0_pid42.jsonl:1",
               "copy/metadata_rank0_pid42_2.jsonl:1");
  expect_twice("r", "r/metadata_rank0_pid421.jsonl:1", "r/metadata_rank0_pid42.jsonl:1");
}

TEST_F(Launches, OfOneProcessAreToldApartByTheirMicroseconds) {
  dir_.write("r/metadata_rank0_pid42.jsonl", record(kBegin, 1));
  dir_.write("r/metadata_rank0_pid42_2.jsonl", record(kBegin, 1));
  expect_twice("r", "r/metadata_rank0_pid42_2.jsonl:1", "r/metadata_rank0_pid42.jsonl:1");
}

}  // namespace
}  // namespace opcov
