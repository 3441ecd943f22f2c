// Reading lines, writing whole files, finding record files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/output_file.h"
#include "format/record_files.h"
#include "support.h"

namespace opcov {
namespace {

namespace fs = std::filesystem;

ExitCode code_of(const std::function<void()>& action, std::string* message = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.code();
  }
  return ExitCode::kDone;
}

TEST(LineReader, GivesLinesOfAnyLengthAndTheDigestOfTheFile) {
  const test::TempDir dir;
  const std::vector<std::string> want = {"", "a", std::string(3'000'000, 'x'), "b", "", std::string(300'000, 'y')};
  std::string text;
  for (const std::string& line : want) text += line + "\n";
  const std::string path = dir.write("f", text + "tail");
  LineReader reader(path);
  std::string_view line;
  for (const std::string& expected : want) {
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, expected);
    EXPECT_TRUE(reader.terminated());
  }
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "tail");
  EXPECT_FALSE(reader.terminated());
  EXPECT_EQ(reader.line_number(), want.size() + 1);
  EXPECT_FALSE(reader.next(line));
  EXPECT_EQ(test::shell("sha256sum f", dir.path()).out.substr(0, 64), reader.sha256());
}

TEST(LineReader, HashesWhatWasNotReadToo) {
  const test::TempDir dir;
  LineReader reader(dir.write("f", "1\n" + std::string(1'000'000, 'x')));
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(test::shell("sha256sum f", dir.path()).out.substr(0, 64), reader.sha256());
}

TEST(LineReader, NamesAFileThatCannotBeRead) {
  const test::TempDir dir;
  std::string message;
  EXPECT_EQ(code_of([&] { LineReader(dir.path("none")); }, &message), ExitCode::kBadInput);
  EXPECT_NE(message.find(dir.path("none") + ": cannot be read: No such file"), std::string::npos) << message;
  std::string_view line;
  EXPECT_EQ(code_of([&] { LineReader(dir.path()).next(line); }), ExitCode::kBadInput);
}

TEST(OutputFile, ReplacesOnlyByForce) {
  const test::TempDir dir;
  const std::string path = dir.path("out");
  write_whole_file(path, "one", false);
  EXPECT_EQ(code_of([&] { write_whole_file(path, "two", false); }), ExitCode::kBadInput);
  EXPECT_EQ(test::read_file(path), "one");
  write_whole_file(path, "two", true);
  EXPECT_EQ(test::read_file(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1);  // no temporary file left
}

TEST(OutputFile, HasTheModeOfAnyNewFile) {
  const test::TempDir dir;
  const mode_t mask = umask(027);
  write_whole_file(dir.path("out"), "", false);
  umask(mask);
  EXPECT_EQ(fs::status(dir.path("out")).permissions(), static_cast<fs::perms>(0640));
}

TEST(OutputFile, RefusesWhatIsNoRegularFile) {
  const test::TempDir dir;
  EXPECT_EQ(code_of([&] { write_whole_file(dir.path(), "x", true); }), ExitCode::kBadInput);
  EXPECT_EQ(code_of([&] { write_whole_file("/dev/null", "x", true); }), ExitCode::kBadInput);
  EXPECT_EQ(code_of([&] { write_whole_file(dir.path("no/folder"), "x", true); }), ExitCode::kBadInput);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

class RecordFiles : public testing::Test {
 protected:
  RecordFiles() {
    for (const char* name : {"r/metadata_rank10_pid1.jsonl", "r/metadata_rank9_pid1.jsonl",
                             "r/metadata_rank9_pid1.counts", "r/inputs.jsonl", "s/metadata_rank0_pid1.jsonl"})
      dir_.write(name, "");
    old_ = fs::current_path();
    fs::current_path(dir_.path());
  }
  ~RecordFiles() override { fs::current_path(old_); }

  test::TempDir dir_;
  fs::path old_;
};

using Names = std::vector<std::string>;

TEST_F(RecordFiles, OfAFolderStandBehindItsNameAsGiven) {
  const Names inside = {"r/metadata_rank10_pid1.jsonl", "r/metadata_rank9_pid1.jsonl"};
  EXPECT_EQ(find_record_files({"r"}), inside);
  EXPECT_EQ(find_record_files({"r/"}), inside);
  EXPECT_EQ(find_record_files({"s", "r"}),
            (Names{"r/metadata_rank10_pid1.jsonl", "r/metadata_rank9_pid1.jsonl", "s/metadata_rank0_pid1.jsonl"}));
}

TEST_F(RecordFiles, GlobsAreExpandedAndFilesTakenAsTheyAre) {
  EXPECT_EQ(find_record_files({"r/*rank9*.jsonl"}), (Names{"r/metadata_rank9_pid1.jsonl"}));
  EXPECT_EQ(find_record_files({"[rs]"}).size(), 3u);
  EXPECT_EQ(find_record_files({"r/inputs.jsonl"}), (Names{"r/inputs.jsonl"}));
  dir_.write("a[1].jsonl", "");
  EXPECT_EQ(find_record_files({"a[1].jsonl"}), (Names{"a[1].jsonl"}));
}

TEST_F(RecordFiles, ASidecarComesWithItsRecord) {
  EXPECT_EQ(find_record_files({"r/metadata_rank9_pid1.jsonl", "r/metadata_rank9_pid1.counts"}),
            (Names{"r/metadata_rank9_pid1.jsonl"}));
  EXPECT_EQ(code_of([&] { find_record_files({"s", "r/metadata_rank9_pid1.counts"}); }), ExitCode::kBadInput);
  dir_.write("r/metadata_rank8_pid1.counts", "");
  EXPECT_EQ(code_of([&] { find_record_files({"r/metadata_rank8_pid1.counts"}); }), ExitCode::kBadInput);
}

TEST_F(RecordFiles, NothingFoundIsBadInput) {
  fs::create_directory("empty");
  for (const char* name : {"none", "none*", "empty", "r/none.jsonl", "r/metadata_rank9_pid1.jsonl/x"})
    EXPECT_EQ(code_of([&] { find_record_files({name}); }), ExitCode::kBadInput) << name;
}

TEST_F(RecordFiles, TheSameFileTwiceIsBadInput) {
  fs::create_symlink("r", "link");
  fs::create_hard_link("s/metadata_rank0_pid1.jsonl", "hard.jsonl");
  for (const Names& names :
       {Names{"r", "r"}, Names{"r", "./r"}, Names{"r", "link"}, Names{"r", "r/*9*.jsonl"}, Names{"s", "hard.jsonl"}}) {
    std::string message;
    EXPECT_EQ(code_of([&] { find_record_files(names); }, &message), ExitCode::kBadInput);
    EXPECT_NE(message.find("given twice"), std::string::npos);
  }
}

}  // namespace
}  // namespace opcov
