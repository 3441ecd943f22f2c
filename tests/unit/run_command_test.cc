// `opcov run`: the environment of the program, its exit status, signals, and the summary of what this run recorded.
// The programs are shell scripts that leave record files as a recorded program would.
#include <gtest/gtest.h>

#include "support.h"

namespace opcov {
namespace {

using test::Outcome;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

class RunCommand : public testing::Test {
 protected:
  RunCommand() {
    dir_.write("record",
               test::header() + test::signature_line(0, test::linear(1)) + test::calls_line("\"0\":7") + test::kEnd);
    dir_.write("program.sh", "mkdir -p $OPCOV_DIR\ncp record $OPCOV_DIR/metadata_rank0_pid$$.jsonl\nexit ${1:-0}\n");
  }
  Outcome run(const std::string& command) { return test::shell("unset OPCOV_DIR OPCOV_OPS\n" + command, dir_.path()); }

  test::TempDir dir_;
};

TEST_F(RunCommand, SetsTheEnvironment) {
  const std::string print = " -- sh -c 'echo $OPCOV $OPCOV_DIR $OPCOV_OPS'";
  const std::string here = std::filesystem::canonical(dir_.path()).string();
  EXPECT_EQ(run("$OPCOV run" + print).out, "1 " + here + "/opcov-records\n");
  EXPECT_EQ(run("$OPCOV run --dir a --ops 'aten::mm'" + print).out, "1 " + here + "/a aten::mm\n");
  EXPECT_EQ(run("OPCOV_DIR=/b OPCOV_OPS=aten::bmm $OPCOV run" + print).out, "1 /b aten::bmm\n");
}

TEST_F(RunCommand, LeavesTheProgramsArgumentsAlone) {
  EXPECT_EQ(run("$OPCOV run -- sh -c 'printf \"<%s>\" \"$@\"' x '[1,2]' --dir -- '' 'a b'").out,
            "<[1,2]><--dir><--><><a b>");
}

TEST_F(RunCommand, EndsWithTheProgramsStatus) {
  EXPECT_EQ(run("$OPCOV run -- sh program.sh").status, 0);
  EXPECT_EQ(run("$OPCOV run -- sh program.sh 7").status, 7);
  EXPECT_EQ(run("$OPCOV run -- sh -c 'kill -KILL $$'").status, 128 + 9);
}

TEST_F(RunCommand, SummarisesWhatThisRunRecordedAlone) {
  expect_in(run("$OPCOV run -- sh program.sh").err, "7 calls in 1 distinct signature, from 1 record file of 1 rank");
  const Outcome second = run("$OPCOV run -- sh program.sh");
  EXPECT_EQ(second.out, "");
  expect_in(second.err, "7 calls in 1 distinct signature, from 1 record file of 1 rank");
  expect_in(second.err, "(left out: 1 record file of earlier runs there)\n");
}

TEST_F(RunCommand, SaysThatNothingWasRecorded) {
  const Outcome outcome = run("$OPCOV run --dir empty -- sh -c 'exit 3'");
  EXPECT_EQ(outcome.status, 3);
  expect_in(outcome.err, "opcov: nothing was recorded in empty. Check:\n");
}

TEST_F(RunCommand, DamageInTheRecordsDoesNotHideTheProgramsStatus) {
  dir_.write("record", "junk\n");
  const Outcome outcome = run("$OPCOV run -- sh program.sh 5");
  EXPECT_EQ(outcome.status, 5);
  expect_in(outcome.err, ":1: not a JSON object");
}

TEST_F(RunCommand, AFileMadeAnewInThisRunIsNoEarlierOne) {
  dir_.write("again.sh", "rm -f $OPCOV_DIR/*\ncp record $OPCOV_DIR/metadata_rank0_pid1.jsonl\n");
  run("mkdir opcov-records && cp record opcov-records/metadata_rank0_pid1.jsonl");
  // A file system gives a new file the inode of the one just removed, more often than not.
  for (int time = 0; time < 5; ++time)
    expect_in(run("$OPCOV run -- sh again.sh").err, "7 calls in 1 distinct signature");
}

TEST_F(RunCommand, KeepsTheStatusWhereItsParentIgnoresSigchld) {
  dir_.write("ignore.py", R"(
import os, signal, sys

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], ["opcov", "run", "--", sys.executable, "-c", sys.argv[2]])
)");
  const Outcome outcome = run("'" TEST_PYTHON
                              "' ignore.py $OPCOV 'import signal; print(signal.getsignal(signal.SIGCHLD) == "
                              "signal.SIG_IGN); raise SystemExit(7)'");
  EXPECT_EQ(outcome.status, 7);
  EXPECT_EQ(outcome.out, "True\n");  // the program begins as without opcov
}

TEST_F(RunCommand, AFolderThatCannotBeCostsNoRun) {
  const std::string here = std::filesystem::canonical(dir_.path()).string();
  const Outcome file = run("$OPCOV run --dir record/a/b -- touch ran");
  EXPECT_EQ(file.status, 2);
  EXPECT_EQ(file.err,
            "opcov: record/a/b: record files cannot go there: " + here + "/record is no folder; give another --dir\n");
  EXPECT_EQ(run("$OPCOV run --dir '' -- touch ran").err,
            "opcov: run: --dir got an empty name; give a folder, or leave --dir out\n");
  EXPECT_FALSE(std::filesystem::exists(dir_.path("ran")));
}

TEST_F(RunCommand, ABadSettingCostsNoRun) {
  const Outcome outcome = run("$OPCOV run --ops @nonsense -- touch ran");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_FALSE(std::filesystem::exists(dir_.path("ran")));
}

TEST_F(RunCommand, HandsSignalsToTheProgram) {
  dir_.write("wait.sh", "trap 'echo got it; exit 9' TERM\necho ready > ready\nwhile :; do sleep 0.05; done\n");
  const Outcome outcome =
      run("$OPCOV run -- sh wait.sh & pid=$!\n"
          "while [ ! -e ready ]; do sleep 0.05; done\n"
          "kill -TERM $pid; wait $pid");
  EXPECT_EQ(outcome.status, 9);
  EXPECT_EQ(outcome.out, "got it\n");
}

TEST_F(RunCommand, AProgramThatDiesOfASignalGives128PlusItsNumber) {
  const Outcome outcome =
      run("$OPCOV run -- sh -c 'echo > ready; exec sleep 60' & pid=$!\n"
          "while [ ! -e ready ]; do sleep 0.05; done\n"
          "kill -TERM $pid; wait $pid");
  EXPECT_EQ(outcome.status, 128 + 15);
}

TEST_F(RunCommand, OptionsWinOverTheEnvironment) {
  const std::string here = std::filesystem::canonical(dir_.path()).string();
  EXPECT_EQ(
      run("OPCOV_DIR=/b OPCOV_OPS=aten::bmm $OPCOV run --dir a --ops aten::mm -- sh -c 'echo $OPCOV_DIR $OPCOV_OPS'")
          .out,
      here + "/a aten::mm\n");
}

TEST_F(RunCommand, WarnsOfRecordsThatEndEarly) {
  dir_.write("record", test::header() + test::signature_line(0, test::linear(1)) + test::calls_line("\"0\":7"));
  expect_in(run("$OPCOV run -- sh program.sh").err, "jsonl:3: no end line and no counts sidecar");
}

TEST_F(RunCommand, HandsOverEverySignalThatAsksForSomething) {
  dir_.write("wait.sh", "trap 'echo $1; exit 9' $1\n> ready\nfor i in $(seq 200); do sleep 0.05; done\n");
  dir_.write("send.py", R"(
import os, signal, subprocess, sys, time

for name in ("INT", "TERM", "HUP", "QUIT", "USR1", "USR2"):
    signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)  # a test run in the background ignores some
    tool = subprocess.Popen([sys.argv[1], "run", "--", "sh", "wait.sh", name])
    while not os.path.exists("ready"):
        time.sleep(0.02)
    os.remove("ready")
    tool.send_signal(getattr(signal, "SIG" + name))
    print(tool.wait(), flush=True)
)");
  EXPECT_EQ(run("'" TEST_PYTHON "' send.py $OPCOV").out, "INT\n9\nTERM\n9\nHUP\n9\nQUIT\n9\nUSR1\n9\nUSR2\n9\n");
}

// Says so where it gets SIGHUP; ends with 9 at SIGTERM.
constexpr const char* kListener = R"(
import signal, sys

signal.signal(signal.SIGHUP, lambda *_: print("got HUP", flush=True))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
open("ready", "w").close()
while True:
    signal.pause()
)";

TEST_F(RunCommand, WhatNohupIgnoresIsNotHandedOver) {
  dir_.write("listen.py", kListener);
  const Outcome outcome =
      run("trap '' HUP\n"
          "$OPCOV run -- '" TEST_PYTHON
          "' listen.py & pid=$!\n"
          "while [ ! -e ready ]; do sleep 0.05; done\n"
          "kill -HUP $pid; kill -TERM $pid; wait $pid");
  EXPECT_EQ(outcome.status, 9);
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace opcov
