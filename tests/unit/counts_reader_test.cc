// The counts sidecar, written by the recorder's own writer and damaged by hand.
#include "format/counts_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "format/counts_writer.h"
#include "format/format_error.h"
#include "format/record_reader.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::linear;
using test::signature_line;

TEST(CountsReader, AddsUpTheBlocksOfAllThreadsWhileTheyAreWritten) {
  const test::TempDir dir;
  const std::string path = dir.path("metadata_rank0_pid1.counts");
  CountsWriter writer(path, 77);
  ASSERT_TRUE(writer.durable()) << writer.error();
  writer.add_block(0)->counts[3] = 5;
  writer.add_block(0)->counts[3] = 6;
  CountsBlock* late = writer.add_block(kCountsPerBlock);
  late->counts[0] = 1;
  for (int i = 0; i < 100; ++i) writer.add_block(5000)->counts[kCountsPerBlock - 1] = 1;

  const auto counts = read_counts(path);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->pid, 77u);
  EXPECT_EQ(counts->calls,
            (std::map<std::uint64_t, std::uint64_t>{{3, 11}, {kCountsPerBlock, 1}, {5000 + kCountsPerBlock - 1, 100}}));
  late->counts[0] = 9;
  EXPECT_EQ(read_counts(path)->calls.at(kCountsPerBlock), 9u);
}

// Header, then one block that counts 7 calls of id 0 and 8 of id 509.
std::string sidecar(std::uint32_t version = kCountsVersion, std::uint64_t pid = 1) {
  std::string bytes(2 * sizeof(CountsBlock), '\0');
  CountsHeader top{};
  std::memcpy(top.magic, kCountsMagic, sizeof top.magic);
  top.version = version;
  top.block_bytes = kCountsBlockBytes;
  top.pid = pid;
  std::memcpy(bytes.data(), &top, sizeof top);
  CountsBlock block{};
  block.in_use = 1;
  block.counts[0] = 7;
  block.counts[kCountsPerBlock - 1] = 8;
  std::memcpy(bytes.data() + sizeof block, &block, sizeof block);
  return bytes;
}

void put(std::string& bytes, std::size_t at, std::uint64_t value) { std::memcpy(bytes.data() + at, &value, 8); }

TEST(CountsReader, FollowsTheDocumentedLayout) {
  const test::TempDir dir;
  using Map = std::map<std::uint64_t, std::uint64_t>;
  std::string bytes = sidecar();
  EXPECT_EQ(read_counts(dir.write("a", bytes))->calls, (Map{{0, 7}, {509, 8}}));
  EXPECT_EQ(read_counts(dir.write("a", bytes.substr(0, 8000)))->calls, (Map{{0, 7}}));  // torn while it grew
  EXPECT_EQ(read_counts(dir.write("a", bytes + std::string(65536, '\0')))->calls, (Map{{0, 7}, {509, 8}}));
  put(bytes, 4096 + 8, 100);  // first_id
  EXPECT_EQ(read_counts(dir.write("a", bytes))->calls, (Map{{100, 7}, {609, 8}}));
}

TEST(CountsReader, AFileThatIsMissingOrNotBegunHasNoCounts) {
  const test::TempDir dir;
  EXPECT_FALSE(read_counts(dir.path("none")));
  EXPECT_FALSE(read_counts(dir.write("empty", "")));
  EXPECT_FALSE(read_counts(dir.write("zeros", std::string(65536, '\0'))));
}

TEST(CountsReader, RefusesWhatIsNoSidecar) {
  const test::TempDir dir;
  EXPECT_THROW(read_counts(dir.write("a", "{\"record\":\"header\"}")), FormatError);
  EXPECT_THROW(read_counts(dir.write("a", sidecar(2))), FormatError);
  EXPECT_THROW(read_counts(dir.path("")), FormatError);  // a folder
  std::string bytes = sidecar();
  put(bytes, 4096, 2);  // in_use
  EXPECT_THROW(read_counts(dir.write("a", bytes)), FormatError);
  bytes = sidecar();
  put(bytes, 4096 + 8, UINT64_MAX);
  EXPECT_THROW(read_counts(dir.write("a", bytes)), FormatError);
  bytes = sidecar();
  put(bytes, 4096 + 16, std::uint64_t{1} << 63);
  EXPECT_THROW(read_counts(dir.write("a", bytes)), FormatError);
}

TEST(CountsReader, BlocksThatOverflowTogetherAreRefused) {
  const test::TempDir dir;
  std::string bytes = sidecar();
  put(bytes, 4096 + 16, INT64_MAX);
  EXPECT_EQ(read_counts(dir.write("a", bytes))->calls.at(0), static_cast<std::uint64_t>(INT64_MAX));
  EXPECT_THROW(read_counts(dir.write("a", bytes + sidecar().substr(4096))), FormatError);
}

class RecordWithSidecar : public testing::Test {
 protected:
  RecordFile read(const std::string& record, const std::string& counts) {
    dir_.write("metadata_rank0_pid1.counts", counts);
    return read_record_file(dir_.write("metadata_rank0_pid1.jsonl", record), pool_);
  }
  const std::string killed_ = header() + signature_line(0, linear(1)) + signature_line(1, linear(2)) +
                              signature_line(509, linear(3)) + calls_line("\"0\":1,\"1\":4");
  test::TempDir dir_;
  SignaturePool pool_;
};

TEST_F(RecordWithSidecar, WithoutAnEndLineTheSidecarReplacesTheCallsLines) {
  const RecordFile file = read(killed_, sidecar());
  EXPECT_TRUE(file.findings.errors.empty());
  ASSERT_EQ(file.findings.warnings.size(), 1u);
  const Segment& segment = file.segments.at(0);
  EXPECT_EQ(segment.ending, Ending::kSidecar);
  EXPECT_EQ(segment.signatures[0].calls, 7u);
  EXPECT_EQ(segment.signatures[1].calls, 0u);
  EXPECT_EQ(segment.signatures[2].calls, 8u);
}

TEST_F(RecordWithSidecar, AfterAnEndLineTheSidecarDoesNotCount) {
  const RecordFile file = read(killed_ + test::kEnd, "junk that was left behind");
  EXPECT_TRUE(file.findings.errors.empty());
  EXPECT_EQ(file.segments.at(0).signatures[0].calls, 1u);
}

TEST_F(RecordWithSidecar, CountsOfAnUnknownIdAreDamageThatIsLeftOut) {
  const RecordFile file = read(header() + signature_line(0, linear(1)), sidecar());
  EXPECT_TRUE(file.findings.errors.empty());
  ASSERT_EQ(file.findings.damage.size(), 1u);
  EXPECT_NE(file.findings.damage[0].text.find("8 calls of id 509"), std::string::npos);
  EXPECT_EQ(file.segments.at(0).signatures[0].calls, 7u);
}

TEST_F(RecordWithSidecar, OfManyUnknownIdsTheRestIsCounted) {
  const std::string path = dir_.path("other.counts");
  CountsWriter writer(path, 1);
  CountsBlock* block = writer.add_block(1000);
  for (int i = 0; i < 300; ++i) block->counts[i] = 1;
  const RecordFile file = read(killed_, test::read_file(path));
  ASSERT_EQ(file.findings.damage.size(), 101u);
  EXPECT_EQ(file.findings.damage[100].text, "calls of 200 more ids that no signature line of the record has; left out");
}

TEST_F(RecordWithSidecar, ASidecarOfNothingOrOfAnotherProcessIsAnError) {
  const std::string record = header(0, ",\"pid\":4242") + signature_line(0, linear(1)) + signature_line(509, linear(2));
  EXPECT_EQ(read(killed_, "junk").findings.errors.size(), 1u);
  EXPECT_TRUE(read(record, sidecar(kCountsVersion, 4242)).findings.errors.empty());
  const RecordFile other = read(record, sidecar(kCountsVersion, 4243));
  ASSERT_EQ(other.findings.errors.size(), 1u);
  EXPECT_NE(other.findings.errors[0].text.find("belongs to process 4243"), std::string::npos);
}

TEST_F(RecordWithSidecar, ASidecarCountsForNoneOfSeveralSegments) {
  const RecordFile file = read(killed_ + test::kEnd + killed_, sidecar());
  EXPECT_EQ(file.segments.at(1).ending, Ending::kCut);
  EXPECT_EQ(file.segments.at(1).signatures[0].calls, 1u);
}

}  // namespace
}  // namespace opcov
