// Canonical and indented JSON against Python's json module and the golden digests.
#include "format/canonical_json.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "base/sha256.h"
#include "format/indented_json.h"
#include "format/signature.h"
#include "support.h"

namespace opcov {
namespace {

TEST(CanonicalJson, GivesTheGoldenDigests) {
  const Json report = parse_strict(test::read_file(test::golden("expected_report.json")));
  ASSERT_EQ(report["rows"].size(), 31u);
  for (const Json& row : report["rows"]) {
    EXPECT_EQ(sha256_hex(canonical_json(row["signature"])), row["signature_sha256"]);
    EXPECT_EQ(make_signature(row["signature"]).digest, row["signature_sha256"]);
  }
}

TEST(CanonicalJson, IndentedTextIsThatOfTheGoldenReport) {
  const std::string text = test::read_file(test::golden("expected_report.json"));
  EXPECT_EQ(indented_json(OrderedJson::parse(text)) + "\n", text);
}

// A tab inside a string is escaped in all three texts, so that tabs separate them.
std::array<std::string, 3> split(const std::string& line) {
  const std::size_t first = line.find('\t');
  const std::size_t second = line.find('\t', first + 1);
  return {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

TEST(CanonicalJson, EqualsPythonOnRandomValues) {
  const test::TempDir dir;
  const test::Outcome oracle =
      test::shell(std::string("'" TEST_PYTHON "' '" TEST_JSON_ORACLE "' 30000 20260908 > values"), dir.path());
  ASSERT_EQ(oracle.status, 0) << oracle.err;
  std::ifstream values(dir.path("values"));
  std::string line;
  int compared = 0;
  while (std::getline(values, line)) {
    const auto [odd, canonical, indented] = split(line);
    const Json value = parse_strict(odd);
    ASSERT_EQ(canonical_json(value), canonical) << odd;
    ASSERT_EQ(indented_json(OrderedJson(value)), parse_strict(indented).get<std::string>()) << odd;
    ++compared;
  }
  EXPECT_EQ(compared, 30000);
}

TEST(PythonFloat, SwitchesToExponentsWherePythonDoes) {
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(1.5e16), "1.5e+16");
  EXPECT_EQ(python_float(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(0.00001), "1e-05");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(1e100), "1e+100");
  EXPECT_EQ(python_float(5e-324), "5e-324");
}

}  // namespace
}  // namespace opcov
