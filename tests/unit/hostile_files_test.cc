// Files that are made to hurt: each ends in an error that names the file, within a fixed address space and a minute,
// and nothing is written.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/counts_writer.h"
#include "support.h"

namespace opcov {
namespace {

using test::Outcome;

// Lines beyond the limit are read up to it, at twice that while the buffer grows: see LineReader.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr const char* kLimits = "OPCOV=\"timeout 60 $OPCOV\"\n";  // a sanitizer takes address space by the terabyte
#else
constexpr const char* kLimits = "ulimit -v 180000\nOPCOV=\"timeout 60 $OPCOV\"\n";
#endif

constexpr const char* kRecord = "r/metadata_rank0_pid1.jsonl";
constexpr const char* kSidecar = "r/metadata_rank0_pid1.counts";

const std::string kKilled = test::header() + test::signature_line(0, test::linear(1));

struct Hostile {
  const char* name;
  std::string record;  // what the record file begins with
  std::string shell;   // what makes it hostile; $F is the record, $C its sidecar
  std::string says;
};

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return "{\"record\":\"x\",\"a\":" + std::string(count, '[') + std::string(count, ']') + "}\n";
}

std::string in_place_of(const char* file, const char* command) { return "rm " + std::string(file) + "\n" + command; }

const std::vector<Hostile>& hostile() {
  constexpr const char* kMost = "9223372036854775807";
  const std::string socket = "'" TEST_PYTHON "' -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'; ";
  const std::string record = kRecord;
  const std::string sidecar = kSidecar;
  static const std::vector<Hostile> all = {
      {"GigabyteOnOneLine", kKilled, "truncate -s 1G $F", record + ":3: is longer than 64 MiB"},
      {"TerabyteOfNothing", "", "truncate -s 1T $F", record + ":1: is longer than 64 MiB"},
      {"TextWithoutAnEnd", kKilled, "head -c 80000000 /dev/zero | tr '\\0' x >> $F", record + ":3: is longer than"},
      {"DeepNesting", kKilled + nested(10000), "", record + ":3: nested deeper than 200 levels"},
      {"DeepSignature", test::header() + test::signature_line(0, std::string(10000, '[') + std::string(10000, ']')), "",
       record + ":2: nested deeper than 200 levels"},
      {"IdPast64Bits",
       test::header() + "{\"record\":\"signature\",\"id\":18446744073709551616,\"signature\":" + test::linear(1) +
           "}\n",
       "", record + ":2: integer beyond 64 bits: 18446744073709551616"},
      {"CountOfAnIdPast64Bits", kKilled + test::calls_line("\"18446744073709551616\":1"), "",
       record + ":3: \"18446744073709551616\" in the calls line is no signature id"},
      {"NegativeCount", kKilled + test::calls_line("\"0\":-1"), "",
       record + ":3: the count of id 0 is no whole number"},
      {"SumPast63Bits",
       kKilled + test::signature_line(1, test::linear(2)) +
           test::calls_line("\"0\":" + std::string(kMost) + ",\"1\":1") + test::kEnd,
       "", record + ":1: the counts of the segment that begins here take the sum over the file beyond 2^63-1"},
      {"SumPast63BitsOverSegments",
       kKilled + test::calls_line("\"0\":" + std::string(kMost)) + test::kEnd + kKilled + test::calls_line("\"0\":1"),
       "", record + ":5: the counts of the segment that begins here take the sum"},
      {"NulBytes", kKilled + std::string("{\"record\":\"a\0\"}\n", 16), "", record + ":3: contains a NUL byte"},
      {"InvalidUtf8", kKilled + "{\"record\":\"notice\",\"kind\":\"\xff\"}\n", "", record + ":3: not valid JSON"},
      {"LongKey", kKilled + "{\"record\":\"x\",\"" + std::string(100'000, 'k') + "\":\n", "", record + ":3: "},
      {"LinkLoop", "", in_place_of("$F", "ln -s metadata_rank0_pid1.jsonl $F"), record + ": cannot be read: Too many"},
      {"Pipe", "", in_place_of("$F", "mkfifo $F"), record + ": is a pipe, and opcov reads regular files alone; copy"},
      {"Socket", "", in_place_of("$F", (socket + "mv s $F").c_str()), record + ": is a socket, and opcov reads"},
      {"Device", "", in_place_of("$F", "ln -s /dev/zero $F"), record + ": is a device, and opcov reads"},
      {"Folder", "", in_place_of("$F", "mkdir $F"), record + ": is a folder where a file is asked for"},
      {"SidecarOfATerabyte", kKilled, "truncate -s 1T $C",
       sidecar + ": is damaged: its blocks up to 16386 are unused for more than 64 MiB; remove the file"},
      {"SidecarFromNearTheEndOfTheIds", kKilled,
       "printf '\\377\\377\\377\\377\\377\\377\\377\\377' | "
       "dd of=$C bs=1 seek=4104 conv=notrunc status=none",
       sidecar + ": block 1 is damaged; remove the file to fall back"},
      {"SidecarThatIsText", kKilled, "echo counts > $C", sidecar + ": is no counts sidecar"},
      {"SidecarThatIsAPipe", kKilled, in_place_of("$C", "mkfifo $C"), sidecar + ": is a pipe"},
      {"SidecarThatIsADevice", kKilled, in_place_of("$C", "ln -s /dev/zero $C"), sidecar + ": is a device"},
      {"SidecarThatIsAFolder", kKilled, in_place_of("$C", "mkdir $C"), sidecar + ": is a folder"},
      {"SidecarThatIsALinkLoop", kKilled, in_place_of("$C", "ln -s metadata_rank0_pid1.counts $C"),
       sidecar + ": cannot be read: Too many"},
  };
  return all;
}

class HostileFile : public testing::TestWithParam<Hostile> {
 protected:
  HostileFile() {
    dir_.write(kRecord, GetParam().record);
    CountsWriter(dir_.path(kSidecar), 1).add_block(0)->counts[0] = 7;
    const Outcome made = run(GetParam().shell);
    EXPECT_EQ(made.status, 0) << made.err;
  }
  Outcome run(const std::string& command) {
    return test::shell("F=" + std::string(kRecord) + " C=" + kSidecar + "\n" + command, dir_.path());
  }
  Outcome limited(const std::string& command) { return run(kLimits + command); }

  test::TempDir dir_;
};

TEST_P(HostileFile, IsAnErrorThatNamesItAndNothingIsWritten) {
  const Outcome report = limited("$OPCOV report r -o out.json");
  EXPECT_EQ(report.status, 2) << report.err;
  EXPECT_TRUE(report.err.starts_with("opcov: " + GetParam().says)) << report.err;
  EXPECT_EQ(std::count(report.err.begin(), report.err.end(), '\n'), 1);
  EXPECT_LT(report.err.size(), 1000u);
  const Outcome merge = limited("$OPCOV merge r -o out.jsonl");
  EXPECT_EQ(merge.status, 2) << merge.err;
  EXPECT_EQ(merge.err, report.err);
  EXPECT_EQ(run("ls").out, "r\n");
}

TEST_P(HostileFile, IsFoundByVerify) {
  const Outcome verify = limited("$OPCOV verify r");
  EXPECT_TRUE(verify.status == 1 || verify.status == 2) << verify.status;
  const std::string& listed = verify.status == 1 ? verify.out : verify.err;
  EXPECT_NE(listed.find(GetParam().says), std::string::npos) << verify.out << verify.err;
}

INSTANTIATE_TEST_SUITE_P(All, HostileFile, testing::ValuesIn(hostile()),
                         [](const auto& of) { return std::string(of.param.name); });

class HostileManifest : public testing::Test {
 protected:
  HostileManifest() { dir_.write(kRecord, kKilled + test::calls_line("\"0\":7") + test::kEnd); }
  void expect_refused(const std::string& make, const std::string& says) {
    const Outcome outcome = test::shell(make + "\n" + kLimits + "$OPCOV report r --inputs m -o out.json", dir_.path());
    EXPECT_EQ(outcome.status, 2) << make;
    EXPECT_TRUE(outcome.err.starts_with("opcov: " + says)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(dir_.path("out.json")));
    std::filesystem::remove_all(dir_.path("m"));
  }

  test::TempDir dir_;
};

TEST_F(HostileManifest, IsAnErrorThatNamesIt) {
  expect_refused("truncate -s 1G m", "m:1: is longer than 64 MiB");
  expect_refused("(echo; head -c 100 /dev/zero) > m", "m:2: contains a NUL byte");
  expect_refused("mkfifo m", "m: is a pipe");
  expect_refused("ln -s /dev/zero m", "m: is a device");
  expect_refused("ln -s m m", "m: cannot be read: Too many levels of symbolic links");
  expect_refused("mkdir m", "m: holds no snapshots");
  expect_refused("cp r/*.jsonl m", "m:1: this is a record file and no manifest");
}

TEST(HostileFiles, SumsPast63BitsOverFilesAreRefused) {
  const test::TempDir dir;
  dir.write(kRecord, kKilled + test::calls_line("\"0\":9223372036854775807") + test::kEnd);
  dir.write("r/metadata_rank1_pid2.jsonl", kKilled + test::calls_line("\"0\":1") + test::kEnd);
  const std::string says = "r/metadata_rank1_pid2.jsonl: its counts take the sum over all files beyond 2^63-1";
  const Outcome report = test::shell("$OPCOV report r -o out.json", dir.path());
  EXPECT_EQ(report.status, 2);
  EXPECT_TRUE(report.err.starts_with("opcov: " + says)) << report.err;
  EXPECT_FALSE(std::filesystem::exists(dir.path("out.json")));
  const Outcome verify = test::shell("$OPCOV verify r", dir.path());
  EXPECT_EQ(verify.status, 1);
  EXPECT_NE(verify.out.find(says), std::string::npos) << verify.out;
}

}  // namespace
}  // namespace opcov
