// Reading sound record files: segments, later lines, endings.
#include "format/record_reader.h"

#include <gtest/gtest.h>

#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::signature_line;

class RecordReader : public testing::Test {
 protected:
  RecordFile read(const std::string& text) {
    return read_record_file(dir_.write("metadata_rank0_pid1.jsonl", text), pool_);
  }

  test::TempDir dir_;
  SignaturePool pool_;
};

void expect_no_findings(const RecordFile& file) {
  EXPECT_TRUE(file.findings.errors.empty()) << to_string(file.findings.errors.front());
  EXPECT_TRUE(file.findings.damage.empty()) << to_string(file.findings.damage.front());
  EXPECT_TRUE(file.findings.warnings.empty()) << to_string(file.findings.warnings.front());
}

TEST_F(RecordReader, LaterCallsReplaceEarlierOnesIdById) {
  const RecordFile file = read(header(2) + signature_line(0, linear(1)) + signature_line(5, linear(2)) +
                               calls_line("\"0\":10,\"5\":3") + calls_line("\"0\":25") + kEnd);
  expect_no_findings(file);
  ASSERT_EQ(file.segments.size(), 1u);
  const Segment& segment = file.segments[0];
  EXPECT_EQ(segment.rank, 2u);
  EXPECT_EQ(segment.ending, Ending::kClean);
  ASSERT_EQ(segment.signatures.size(), 2u);
  EXPECT_EQ(segment.signatures[0].calls, 25u);
  EXPECT_EQ(segment.signatures[1].calls, 3u);
}

TEST_F(RecordReader, ALaterRankReplacesTheHeaders) {
  const RecordFile file = read(header(0) + R"({"record":"rank","rank":3,"world_size":4})" + "\n" + kEnd);
  expect_no_findings(file);
  EXPECT_EQ(file.segments[0].rank, 3u);
  EXPECT_EQ(file.segments[0].world_size, 4u);
}

TEST_F(RecordReader, ReadsWhatTheRecorderRemarked) {
  const std::string notice = R"({"record":"notice","kind":"overflow","text":"t","count":)";
  const RecordFile file = read(header() + R"({"record":"raised","ops":{"a.b.c":2}})" + "\n" +
                               R"({"record":"raised","ops":{"a.b.c":3,"d.e.f":1}})" + "\n" + notice + "4}\n" + notice +
                               "6}\n" + R"({"record":"end","unrecorded":9})" + "\n");
  expect_no_findings(file);
  const Segment& segment = file.segments[0];
  EXPECT_EQ(segment.raised, (std::map<std::string, std::uint64_t>{{"a.b.c", 3}, {"d.e.f", 1}}));
  ASSERT_EQ(segment.notices.size(), 1u);
  EXPECT_EQ(segment.notices[0].count, 6u);
  EXPECT_EQ(segment.unrecorded, 9u);
}

TEST_F(RecordReader, NoticesOfOneKindStandBesideEachOther) {
  const RecordFile file = read(header() + R"({"record":"notice","kind":"k","count":4,"text":"t"})" + "\n" +
                               R"({"record":"notice","kind":"k"})" + "\n" + kEnd);
  expect_no_findings(file);
  const std::vector<Notice>& notices = file.segments[0].notices;
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[1].count, 1u);
  EXPECT_EQ(notices[1].text, "");
}

TEST_F(RecordReader, TheWorldSizeIsTheHeadersOrOne) {
  EXPECT_EQ(read(header(0, ",\"world_size\":8") + kEnd).segments[0].world_size, 8u);
  EXPECT_EQ(read(header() + kEnd).segments[0].world_size, 1u);
}

TEST_F(RecordReader, IgnoresUnknownKeysAndKinds) {
  const RecordFile file = read(header(0, ",\"new\":{\"deep\":[1]}") + "{\"record\":\"environment\",\"gpu\":\"x\"}\n" +
                               signature_line(0, linear(1), ",\"weight\":1") + calls_line("\"0\":1") + kEnd +
                               "{\"record\":\"environment\",\"gpu\":\"y\"}\n");
  expect_no_findings(file);
  EXPECT_EQ(file.segments[0].signatures[0].calls, 1u);
}

TEST_F(RecordReader, SegmentsHaveIdsAndRanksOfTheirOwn) {
  const RecordFile file = read(header(1) + signature_line(0, linear(1)) + calls_line("\"0\":1") + kEnd + header(11) +
                               signature_line(0, linear(2)) + calls_line("\"0\":2") + kEnd);
  expect_no_findings(file);
  ASSERT_EQ(file.segments.size(), 2u);
  EXPECT_EQ(file.segments[1].rank, 11u);
  EXPECT_EQ(file.segments[1].line, 5u);
  EXPECT_NE(file.segments[0].signatures[0].signature, file.segments[1].signatures[0].signature);
  EXPECT_EQ(file.segments[1].signatures[0].calls, 2u);
}

TEST_F(RecordReader, KnowsWhichSignaturesReturnTheirInput) {
  const RecordFile file =
      read(header() + signature_line(0, linear(1), ",\"returns_input\":true") + signature_line(1, linear(1)) +
           signature_line(2, linear(2), ",\"returns_input\":false") + kEnd);
  expect_no_findings(file);
  EXPECT_TRUE(file.segments[0].signatures[0].returns_input);
  EXPECT_FALSE(file.segments[0].signatures[1].returns_input);
  EXPECT_FALSE(file.segments[0].signatures[2].returns_input);
}

TEST_F(RecordReader, ATornLastLineIsAWarning) {
  const std::string whole = header() + signature_line(0, linear(1)) + calls_line("\"0\":7");
  const RecordFile file = read(whole + "{\"record\":\"calls\",\"calls\":{\"0\":1");
  EXPECT_TRUE(file.findings.errors.empty());
  ASSERT_EQ(file.findings.warnings.size(), 2u);
  EXPECT_EQ(to_string(file.findings.warnings[0]), file.path + ":4: torn last line, left out");
  EXPECT_EQ(file.segments[0].ending, Ending::kCut);
  EXPECT_EQ(file.segments[0].signatures[0].calls, 7u);
}

TEST_F(RecordReader, ALastLineThatLacksItsNewlineAloneCounts) {
  const std::string text = header() + signature_line(0, linear(1)) + calls_line("\"0\":7") + kEnd;
  const RecordFile file = read(text.substr(0, text.size() - 1));
  expect_no_findings(file);
  EXPECT_EQ(file.segments[0].ending, Ending::kClean);
}

TEST_F(RecordReader, WithoutEndOrSidecarTheLastCallsLineCountsWithAWarning) {
  const RecordFile file = read(header() + signature_line(0, linear(1)) + calls_line("\"0\":7"));
  ASSERT_EQ(file.findings.warnings.size(), 1u);
  EXPECT_EQ(file.findings.warnings[0].line, 3u);
  EXPECT_NE(file.findings.warnings[0].text.find("no end line and no counts sidecar"), std::string::npos);
  EXPECT_EQ(file.segments[0].signatures[0].calls, 7u);
}

TEST_F(RecordReader, AnEmptyFileHoldsNoRecord) {
  for (const char* text : {"", "{\"record\":\"hea"}) {
    const RecordFile file = read(text);
    EXPECT_TRUE(file.segments.empty());
    EXPECT_TRUE(file.findings.errors.empty());
    ASSERT_FALSE(file.findings.warnings.empty());
    EXPECT_NE(file.findings.warnings.back().text.find("holds no record"), std::string::npos);
  }
}

TEST_F(RecordReader, HashesTheWholeFile) {
  const Json report = parse_strict(test::read_file(test::golden("expected_report.json")));
  for (const Json& source : report["sources"])
    EXPECT_EQ(read_record_file(test::golden(source["path"].get<std::string>()), pool_).sha256, source["sha256"]);
}

}  // namespace
}  // namespace opcov
