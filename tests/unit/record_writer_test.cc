// The writing side under faults: names that are taken, folders that cannot be made, full disks.

#include "format/record_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "format/counts_writer.h"

namespace opcov {
namespace {

class Writing : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = "/tmp/opcov-writing-XXXXXX";
    ASSERT_NE(mkdtemp(dir_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::unique_ptr<RecordWriter> create(const std::string& dir) { return RecordWriter::create(dir, 2, 42, error_); }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string dir_;
  std::string error_;
};

/// Files may not grow past `bytes` while this lives: a full disk that needs no file system of its own.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : outer_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &outer_);
    const rlimit limit{bytes, outer_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &outer_);
    std::signal(SIGXFSZ, outer_handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit outer_{};
  void (*outer_handler_)(int);
};

class StderrClosed {
 public:
  StderrClosed() : outer_(dup(STDERR_FILENO)) { close(STDERR_FILENO); }
  ~StderrClosed() {
    dup2(outer_, STDERR_FILENO);
    close(outer_);
  }
  StderrClosed(const StderrClosed&) = delete;
  StderrClosed& operator=(const StderrClosed&) = delete;

 private:
  int outer_;
};

TEST_F(Writing, ATakenNameGetsASuffix) {
  const auto first = create(dir_ + "/new/folder");
  const auto second = create(dir_ + "/new/folder");
  ASSERT_NE(first, nullptr) << error_;
  ASSERT_NE(second, nullptr) << error_;
  EXPECT_EQ(first->path(), dir_ + "/new/folder/metadata_rank2_pid42.jsonl");
  EXPECT_EQ(second->path(), dir_ + "/new/folder/metadata_rank2_pid42_2.jsonl");
  EXPECT_EQ(second->counts_path(), dir_ + "/new/folder/metadata_rank2_pid42_2.counts");
}

TEST_F(Writing, ASidecarLeftAloneIsNotTakenOver) {
  std::ofstream(dir_ + "/metadata_rank2_pid42.counts") << "old";
  EXPECT_EQ(create(dir_)->path(), dir_ + "/metadata_rank2_pid42_2.jsonl");
}

TEST_F(Writing, AFileInTheWayIsAnErrorThatNamesIt) {
  std::ofstream(dir_ + "/plain") << "x";
  EXPECT_EQ(create(dir_ + "/plain/under"), nullptr);
  EXPECT_NE(error_.find(dir_ + "/plain/under"), std::string::npos) << error_;
  EXPECT_EQ(create(dir_ + "/plain"), nullptr);
  EXPECT_NE(error_.find(dir_ + "/plain"), std::string::npos) << error_;
}

TEST_F(Writing, AFullDiskLeavesNoTornLine) {
  const auto writer = create(dir_);
  ASSERT_TRUE(writer->append("{\"a\":1}"));
  {
    const SizeLimit full(12);
    EXPECT_FALSE(writer->append(std::string(100, 'x')));
  }
  EXPECT_EQ(text_of(writer->path()), "{\"a\":1}\n");
  EXPECT_EQ(writer->error(), "cannot write to " + writer->path() + ": File too large");
}

TEST_F(Writing, NoFileIsOpenedAsAStandardStream) {
  const StderrClosed closed;
  const auto writer = create(dir_);
  const CountsWriter counts(dir_ + "/c.counts", 42);
  EXPECT_TRUE(writer->append("{}")) << writer->error();
  EXPECT_TRUE(counts.durable()) << counts.error();
  EXPECT_EQ(write(STDERR_FILENO, "x", 1), -1);
}

TEST_F(Writing, ARemovedFileIsNoticed) {
  const auto writer = create(dir_);
  EXPECT_FALSE(writer->unlinked());
  std::filesystem::remove(writer->path());
  EXPECT_TRUE(writer->unlinked());
}

TEST_F(Writing, CountsAddUpOverBlocksOfOneId) {
  CountsWriter counts(dir_ + "/c.counts", 42);
  ASSERT_TRUE(counts.durable()) << counts.error();
  CountsBlock* a = counts.add_block(0);
  CountsBlock* b = counts.add_block(0);
  CountsBlock* c = counts.add_block(kCountsPerBlock);
  a->counts[3] = 5;
  b->counts[3] = 7;
  c->counts[1] = 9;
  const auto totals = counts.totals(kCountsPerBlock + 2);
  EXPECT_EQ(totals[3], 12U);
  EXPECT_EQ(totals[kCountsPerBlock + 1], 9U);
}

TEST_F(Writing, CountsGrowByWholeExtentsAndStandInTheFile) {
  CountsWriter counts(dir_ + "/c.counts", 42);
  for (std::uint64_t i = 0; i < 100; ++i) counts.add_block(i * kCountsPerBlock)->counts[0] = i + 1;
  const std::string file = text_of(dir_ + "/c.counts");
  EXPECT_EQ(file.size() % (64 << 10), 0U);
  EXPECT_EQ(file.substr(0, 8), "OPCOVCNT");
  EXPECT_EQ(counts.totals(99 * kCountsPerBlock + 1).back(), 100U);
}

TEST_F(Writing, AFullDiskPutsCountsIntoMemory) {
  const SizeLimit full(1000);
  CountsWriter counts(dir_ + "/c.counts", 42);
  EXPECT_FALSE(counts.durable());
  EXPECT_FALSE(counts.error().empty());
  counts.add_block(0)->counts[0] = 3;
  EXPECT_EQ(counts.totals(1)[0], 3U);
}

TEST_F(Writing, ADiskThatFillsLaterKeepsWhatStandsAndGoesOnInMemory) {
  CountsWriter counts(dir_ + "/c.counts", 42);
  const SizeLimit full(64 << 10);
  for (std::uint64_t i = 0; i < 40; ++i) counts.add_block(i * kCountsPerBlock)->counts[0] = 1;
  EXPECT_FALSE(counts.durable());
  std::uint64_t sum = 0;
  for (const std::uint64_t n : counts.totals(40 * kCountsPerBlock)) sum += n;
  EXPECT_EQ(sum, 40U);
}

}  // namespace
}  // namespace opcov
