// `opcov report --html` as a user meets it; tests/page looks at the pages themselves.
#include <gtest/gtest.h>

#include <filesystem>

#include "support.h"

namespace opcov {
namespace {

class PageCommand : public testing::Test {
 protected:
  test::Outcome report(const std::string& options) const {
    const std::string records = test::golden("records");
    return test::shell("$OPCOV report " + records + " --inputs " + test::golden("inputs.jsonl") + " " + options,
                       dir_.path());
  }

  test::TempDir dir_;
};

TEST_F(PageCommand, ThePageAloneIsWrittenWhereNoReportIsNamed) {
  const test::Outcome outcome = report("--html page.html");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "Wrote page.html\n");
  const std::string page = test::read_file(dir_.path("page.html"));
  EXPECT_TRUE(page.starts_with("<!doctype html>\n")) << page.substr(0, 100);
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST_F(PageCommand, TheReportIsTheSameWithAndWithoutIt) {
  EXPECT_EQ(report("--html page.html -o report.json").err, "Wrote report.json\nWrote page.html\n");
  EXPECT_EQ(test::read_file(dir_.path("report.json")), report("").out);
}

TEST_F(PageCommand, AFileThatIsThereIsReplacedByForceAlone) {
  dir_.write("page.html", "old");
  EXPECT_EQ(report("--html page.html").status, 2);
  EXPECT_EQ(test::read_file(dir_.path("page.html")), "old");
  EXPECT_EQ(report("--html page.html --force").status, 0);
  EXPECT_NE(test::read_file(dir_.path("page.html")), "old");
}

TEST_F(PageCommand, OneFileIsNotTwoOutputs) {
  for (const std::string other : {"-o", "--detail"}) {
    const test::Outcome outcome = report("--html same " + other + " ./same");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "opcov: report: --html and " + other + " name the same file; give the page another name\n");
    EXPECT_FALSE(std::filesystem::exists(dir_.path("same")));
  }
  EXPECT_EQ(report("--html ''").err, "opcov: report: --html got an empty name; give one\n");
}

}  // namespace
}  // namespace opcov
