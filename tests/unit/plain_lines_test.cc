// Lines that are read without a JSON parser: read as the parser reads them, or left to it.
#include "format/plain_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "format/plain_signature.h"
#include "format/record_line.h"
#include "support.h"

namespace opcov {
namespace {

std::vector<std::string> golden_lines() {
  std::istringstream lines(test::read_file(test::golden("records/metadata_rank0_pid1896946.jsonl")));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

/// What was read without the parser, held against the parser; false where it was left to the parser.
bool agrees_with_the_parser(std::string_view line) {
  PlainCounts counts;
  if (plain_calls_line(line, counts)) {
    const Json calls = parse_record_line(line).fields["calls"];
    EXPECT_EQ(counts.size(), calls.size()) << line;
    for (const auto& [id, count] : counts) EXPECT_EQ(calls.value(std::to_string(id), Json()), count) << line;
    return true;
  }
  const auto plain = plain_signature_line(line);
  const auto signature = plain ? plain_signature(plain->signature) : std::nullopt;
  if (!signature) return false;
  const RecordLine parsed = parse_record_line(line);
  const Signature made = make_signature(parse_strict(parsed.signature));
  EXPECT_EQ(parsed.count("id"), plain->id) << line;
  EXPECT_EQ(parsed.fields.value("returns_input", false), plain->returns_input) << line;
  EXPECT_EQ(made.text, signature->text) << line;
  EXPECT_EQ(made.digest, signature->digest) << line;
  EXPECT_EQ(made.op, signature->op) << line;
  EXPECT_EQ(made.stage, signature->stage) << line;
  return true;
}

TEST(PlainLines, AreWhatRecordersWrite) {
  int signatures = 0;
  for (const std::string& line : golden_lines()) {
    const bool expected = line.starts_with("{\"record\":\"signature\"") || line.starts_with("{\"record\":\"calls\"");
    EXPECT_EQ(agrees_with_the_parser(line), expected) << line;
    signatures += expected ? 1 : 0;
  }
  EXPECT_GT(signatures, 10);
  EXPECT_TRUE(agrees_with_the_parser(
      R"({"record":"signature","id":7,"signature":{"args":[[],{"object":"x"},-5,true,null],"kwargs":{"device":"cuda",)"
      R"("dtype":"torch.int8","layout":"torch.strided"},"op":"a","output":{"dtype":"torch.int8","layout":"torch.jagged",)"
      R"("device":"cuda:0"},"stage":""},"returns_input":true})"));
}

// One byte replaced, or one piece of a line put elsewhere.
std::string changed(std::string line, std::mt19937& random) {
  static const std::string kBytes = "{}[]\",:-0123456789.eE \\\x7f\xc3\tadeiktu";
  for (unsigned changes = 1 + random() % 2; changes > 0; --changes) {
    const std::size_t at = random() % line.size();
    if (random() % 2 == 0)
      line[at] = kBytes[random() % kBytes.size()];
    else
      line.insert(random() % line.size(), line.substr(at, 1 + random() % 30));
  }
  return line;
}

TEST(PlainLines, AgreeWithTheParserHoweverALineIsChanged) {
  std::mt19937 random(5);
  const std::vector<std::string> lines = golden_lines();
  int plain = 0;
  for (int round = 0; round < 100'000; ++round) {
    const std::string line = changed(lines[random() % lines.size()], random);
    plain += agrees_with_the_parser(line) ? 1 : 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(plain, 5'000);
}

TEST(PlainCounts, AreLeftToTheParserInAnyOtherForm) {
  const auto is_plain = [](const std::string& calls) {
    PlainCounts counts;
    return plain_calls_line("{\"record\":\"calls\",\"calls\":{" + calls + "}}", counts);
  };
  EXPECT_TRUE(is_plain(""));
  EXPECT_TRUE(is_plain(R"("0":0,"10":999999999999999999)"));
  for (const char* calls :
       {R"("0":1,)", R"("0":01)", R"("00":1)", R"("1":1,"0":1)", R"("0":1,"0":2)", R"("0":1000000000000000000)",
        R"("0":-1)", R"("0":1.0)", R"("0": 1)", R"("":1)", R"("0":)", R"("0":1 )", R"("0":1}})", R"(,"0":1)"})
    EXPECT_FALSE(is_plain(calls)) << calls;
}

TEST(PlainSignatures, AreLeftToTheParserInAnyOtherForm) {
  const auto is_plain = [](const std::string& arg) {
    return plain_signature(R"({"args":[)" + arg + R"(],"kwargs":{},"op":"a","output":null,"stage":""})").has_value();
  };
  EXPECT_TRUE(is_plain(R"({"device":"cpu","dtype":"d","shape":[0]})"));
  const std::string deep(100, '[');
  for (const std::string& arg :
       std::vector<std::string>{"1.5",
                                "01",
                                "-0",
                                "-",
                                "1e3",
                                "1000000000000000000",
                                "1,",
                                " 1",
                                "\"\xc3\xa9\"",
                                "\"\\n\"",
                                "\"\x7f\"",
                                "tru",
                                R"({"b":1,"a":2})",
                                R"({"a":1,"a":2})",
                                R"({"device":"cpu"})",
                                R"({"device":"cpu","dtype":"d"})",
                                R"({"device":"cpu","device":"cpu","dtype":"d","shape":[0]})",
                                R"({"device":1,"dtype":"d","shape":[0]})",
                                R"({"dtype":"d","shape":[{"device":"cpu","dtype":"d","shape":[0]}]})",
                                deep + std::string(100, ']')})
    EXPECT_FALSE(is_plain(arg)) << arg;
}

}  // namespace
}  // namespace opcov
