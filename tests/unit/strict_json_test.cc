// What the strict parser refuses, and how lines are taken apart.
#include "format/strict_json.h"

#include <gtest/gtest.h>

#include "format/object_members.h"

namespace opcov {
namespace {

std::string refusal(std::string_view text) {
  try {
    parse_strict(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StrictJson, RefusesWhatReadersCouldUnderstandDifferently) {
  EXPECT_EQ(refusal(R"({"a":1,"b":{"c":1,"c":2}})"), "the key \"c\" is given twice");
  EXPECT_EQ(refusal("18446744073709551616"), "integer beyond 64 bits: 18446744073709551616");
  EXPECT_EQ(refusal("[-9223372036854775809]"), "integer beyond 64 bits: -9223372036854775809");
  EXPECT_EQ(refusal(std::string_view("[1]\0[2]", 7)), "contains a NUL byte");
  EXPECT_EQ(refusal(std::string(201, '[') + std::string(201, ']')), "nested deeper than 200 levels");
}

TEST(StrictJson, RefusesWhatIsNoJson) {
  for (const std::string_view text : {"", "{", "[1,]", "NaN", "Infinity", "1e999", "01", "'a'", "1 2", "{\"a\"}",
                                      "\"\xff\"", "\"\xc3\"", "\"\\ud800\"", "\"a\nb\"", "\xef\xbb\xbf\x00"})
    EXPECT_NE(refusal(text), "accepted") << text;
}

TEST(StrictJson, KeepsWhatIsAllowed) {
  EXPECT_EQ(parse_strict("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(parse_strict("-9223372036854775808").get<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(parse_strict(std::string(200, '[') + std::string(200, ']')).size(), 1u);
  EXPECT_EQ(parse_strict(R"([{"a":[1,{"b":[]}],"c":{}},null])").dump(), R"([{"a":[1,{"b":[]}],"c":{}},null])");
}

TEST(StrictJson, CountsAreWholeNumbersBelowTwoToThe63) {
  EXPECT_EQ(as_count(parse_strict("9223372036854775807")), 9223372036854775807u);
  for (const char* text : {"9223372036854775808", "-1", "1.0", "\"1\"", "null", "true"})
    EXPECT_FALSE(as_count(parse_strict(text))) << text;
}

TEST(ObjectMembers, GivesRawTexts) {
  const ObjectMembers members(R"( { "a" : {"x":"}\"]"} , "bA":[1, "]"],"c":-1.5} )");
  ASSERT_EQ(members.all().size(), 3u);
  EXPECT_EQ(members.raw("a"), R"({"x":"}\"]"} )");
  EXPECT_EQ(members.raw("bA"), R"([1, "]"])");
  EXPECT_EQ(members.raw("c"), "-1.5");
  EXPECT_EQ(members.raw("d"), "");
  EXPECT_TRUE(ObjectMembers("{}").all().empty());
}

TEST(ObjectMembers, RefusesWhatIsNoObjectOnOneLine) {
  for (const std::string_view text :
       {"", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":1,\"a\":2}",
        "{\"a\":[}", "{\"a\":\"", "{\"a\":\"\\", "{a:1}", "{,\"a\":1}"})
    EXPECT_THROW(ObjectMembers{text}, FormatError) << text;
}

}  // namespace
}  // namespace opcov
