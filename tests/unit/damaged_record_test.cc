// Reading record files that break the format: each fault has its line, and nothing crashes.
#include <gtest/gtest.h>

#include <random>

#include "format/record_reader.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::signature_line;
using test::where_line;

struct Fault {
  const char* name;
  std::string text;
  std::size_t line;
  std::string says;
};

const std::string kStart = header() + signature_line(0, linear(1));

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all = {
      {"Garbage", kStart + "garbage\n" + kEnd, 3, "not a JSON object on one line"},
      {"TornInTheMiddle", kStart + "{\"record\":\"ca\n" + kEnd, 3, "ends inside a string"},
      {"EmptyLine", kStart + "\n" + kEnd, 3, "not a JSON object on one line"},
      {"NoKind", kStart + "{\"a\":1}\n" + kEnd, 3, "no \"record\""},
      {"KindIsNoString", kStart + "{\"record\":1}\n" + kEnd, 3, "\"record\" is no string"},
      {"NulBytes", kStart + std::string("{\"record\":\"x\",\"a\":1\0}\n", 22) + kEnd, 3, "NUL byte"},
      {"InvalidUtf8", kStart + "{\"record\":\"notice\",\"kind\":\"\xff\"}\n" + kEnd, 3, "not valid JSON"},
      {"InvalidUtf8InASignature", header() + signature_line(0, linear(1, "\xc3(")), 2, "not valid JSON"},
      {"NulInASignature", header() + signature_line(0, linear(1, std::string("\0", 1))), 2, "NUL byte"},
      {"DeepNesting", kStart + "{\"record\":\"x\",\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}\n",
       3, "nested deeper"},
      {"DeepSignature", header() + signature_line(0, std::string(100000, '[') + std::string(100000, ']')), 2,
       "nested deeper"},
      {"DuplicateKey", kStart + "{\"record\":\"end\",\"unrecorded\":0,\"unrecorded\":1}\n", 3, "given twice"},
      {"NoHeader", signature_line(0, linear(1)) + kEnd, 1, "before any header"},
      {"OtherFormat", "{\"record\":\"header\",\"format\":\"x\",\"version\":1,\"rank\":0}\n", 1, "is no record file"},
      {"NoFormat", "{\"record\":\"header\",\"version\":1,\"rank\":0}\n", 1, "is no record file"},
      {"HigherVersion", "{\"record\":\"header\",\"format\":\"opcov-metadata\",\"version\":2,\"rank\":0}\n", 1,
       "use a newer opcov"},
      {"VersionZero", "{\"record\":\"header\",\"format\":\"opcov-metadata\",\"version\":0,\"rank\":0}\n", 1,
       "version 0"},
      {"NegativeRank", header(-1), 1, "\"rank\" is no whole number"},
      {"NoRank", "{\"record\":\"header\",\"format\":\"opcov-metadata\",\"version\":1}\n", 1, "no \"rank\""},
      {"SecondHeaderRefused", kStart + kEnd + header(-1), 4, "\"rank\" is no whole number"},
      {"UnknownId", kStart + calls_line("\"1\":1"), 3, "counts for id 1, which no signature line before has"},
      {"CountsBeforeTheSignature", header() + calls_line("\"0\":1") + signature_line(0, linear(1)), 2,
       "counts for id 0"},
      {"IdOfTheSegmentBefore", kStart + kEnd + header() + calls_line("\"0\":1"), 5, "counts for id 0"},
      {"IdWithLeadingZero", kStart + calls_line("\"00\":1"), 3, "is no signature id"},
      {"IdIsNoNumber", kStart + calls_line("\"x\":1"), 3, "is no signature id"},
      {"NegativeCount", kStart + calls_line("\"0\":-1"), 3, "no whole number from 0"},
      {"CountBeyond63Bits", kStart + calls_line("\"0\":9223372036854775808"), 3, "no whole number from 0"},
      {"CountBeyond64Bits", kStart + calls_line("\"0\":18446744073709551616"), 3, "beyond 64 bits"},
      {"FloatCount", kStart + calls_line("\"0\":1.0"), 3, "no whole number from 0"},
      {"CallsIsNoObject", kStart + "{\"record\":\"calls\",\"calls\":[]}\n", 3, "no object \"calls\""},
      {"DuplicateId", kStart + signature_line(0, linear(2)), 3, "a second signature with id 0"},
      {"NegativeId", header() + signature_line(-1, linear(2)), 2, "\"id\" is no whole number"},
      {"NoSignature", header() + "{\"record\":\"signature\",\"id\":0}\n", 2, "no \"signature\""},
      {"MalformedSignature", header() + signature_line(0, "{\"args\":[]}"), 2, "the signature has no \"kwargs\""},
      {"ReturnsInputIsNoBoolean", header() + signature_line(0, linear(1), ",\"returns_input\":1"), 2, "returns_input"},
      {"NoticeWithoutKind", kStart + "{\"record\":\"notice\",\"text\":\"t\"}\n", 3, "\"kind\""},
      {"RaisedIsNoCount", kStart + "{\"record\":\"raised\",\"ops\":{\"a\":\"1\"}}\n", 3, "the count of a"},
      {"PlaceOfNoSignature", kStart + where_line("1", "{}"), 3, "a place for id 1, which no signature line before has"},
      {"PlaceWithoutId", kStart + "{\"record\":\"where\",\"where\":{}}\n", 3, "no \"id\""},
      {"PlaceOfANegativeId", kStart + where_line("-1", "{}"), 3, "\"id\" is no whole number"},
      {"PlaceIsNoObject", kStart + where_line("0", "[]"), 3, "the where line has no object \"where\""},
      {"NoPlace", kStart + "{\"record\":\"where\",\"id\":0}\n", 3, "the where line has no object \"where\""},
      {"SecondPlace", kStart + where_line("0", "{}") + where_line("0", "{}"), 4, "a second place for id 0"},
      {"ModuleIsNoString", kStart + where_line("0", R"({"module":1})"), 3, "\"module\" of \"where\" is no string"},
      {"ClassIsNoString", kStart + where_line("0", R"({"class":[]})"), 3, "\"class\" of \"where\" is no string"},
      {"RootIsNull", kStart + where_line("0", R"({"root":null})"), 3, "\"root\" of \"where\" is no string"},
      {"FramesAreNoArray", kStart + where_line("0", R"({"frames":"a"})"), 3, "\"frames\" of \"where\" is no array"},
      {"FrameIsNoString", kStart + where_line("0", R"({"frames":["a",1]})"), 3, "is no array of strings"},
      {"LeftOutIsNegative", kStart + where_line("0", R"({"left_out":-1})"), 3, "\"left_out\" of \"where\" is no whole"},
      {"LeftOutIsHuge", kStart + where_line("0", R"({"left_out":9223372036854775808})"), 3,
       "is no whole number from 0"},
      {"MoreIsNoBoolean", kStart + where_line("0", R"({"more":1})"), 3, "\"more\" of \"where\" is no boolean"},
      {"BackwardIsNoBoolean", kStart + where_line("0", R"({"backward":"true"})"), 3, "\"backward\" of \"where\" is no"},
      {"PlaceInInvalidUtf8", kStart + where_line("0", "{\"frames\":[\"\xff\"]}"), 3, "not valid JSON"},
      {"PlaceAfterTheEnd", kStart + kEnd + where_line("0", "{}"), 4, "a where line after the end line"},
      {"CallsAfterTheEnd", kStart + kEnd + calls_line("\"0\":1"), 4, "after the end line"},
  };
  return all;
}

class DamagedRecord : public testing::TestWithParam<Fault> {};

TEST_P(DamagedRecord, IsNamedByLine) {
  const Fault& fault = GetParam();
  const test::TempDir dir;
  SignaturePool pool;
  const RecordFile file = read_record_file(dir.write("metadata_rank0_pid1.jsonl", fault.text), pool);
  ASSERT_FALSE(file.findings.errors.empty());
  EXPECT_EQ(file.findings.errors[0].line, fault.line);
  EXPECT_NE(file.findings.errors[0].text.find(fault.says), std::string::npos) << file.findings.errors[0].text;
}

INSTANTIATE_TEST_SUITE_P(All, DamagedRecord, testing::ValuesIn(faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST(DamagedRecordFile, OneFaultIsOneError) {
  const test::TempDir dir;
  const std::string newer = "{\"record\":\"header\",\"format\":\"opcov-metadata\",\"version\":2,\"rank\":0}\n";
  const std::string rest = signature_line(0, linear(1)) + calls_line("\"0\":1") + kEnd;
  for (const std::string& text : {newer + rest, header() + signature_line(0, "{\"args\":[]}") + rest}) {
    SignaturePool pool;
    EXPECT_EQ(read_record_file(dir.write("metadata_a.jsonl", text), pool).findings.errors.size(), 1u) << text;
  }
}

TEST(DamagedRecordFile, StopsAfterAHundredErrors) {
  const test::TempDir dir;
  SignaturePool pool;
  std::string text = header();
  for (int i = 0; i < 5000; ++i) text += "junk\n";
  EXPECT_EQ(read_record_file(dir.write("metadata_a.jsonl", text), pool).findings.errors.size(), 101u);
}

// Wherever a kill cuts a sound file, what stands before the cut is read and nothing is an error.
TEST(DamagedRecordFile, CanBeCutAnywhere) {
  const test::TempDir dir;
  const std::string text = header() + signature_line(0, linear(1)) + calls_line("\"0\":1") + kEnd;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    SignaturePool pool;
    const RecordFile file = read_record_file(dir.write("metadata_a.jsonl", text.substr(0, size)), pool);
    EXPECT_TRUE(file.findings.errors.empty()) << size << ": " << to_string(file.findings.errors[0]);
    EXPECT_EQ(file.findings.warnings.empty(), size + 1 >= text.size()) << size;
  }
}

TEST(DamagedRecordFile, FlippedBytesNeverCrash) {
  const test::TempDir dir;
  const std::string text = test::read_file(test::golden("records/metadata_rank0_pid1893179.jsonl"));
  std::mt19937 random(7);
  int faulty = 0;
  for (int round = 0; round < 300; ++round) {
    std::string broken = text;
    for (int flips = 0; flips < 3; ++flips) broken[random() % broken.size()] ^= static_cast<char>(1 << (random() % 8));
    SignaturePool pool;
    faulty += read_record_file(dir.write("metadata_a.jsonl", broken), pool).findings.errors.empty() ? 0 : 1;
  }
  EXPECT_GT(faulty, 100);  // the other flips made another valid text
}

}  // namespace
}  // namespace opcov
