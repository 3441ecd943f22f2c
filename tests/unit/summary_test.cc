// What people read: one-line signatures, tables, the summary, on made-up data.
#include "report/summary.h"

#include <gtest/gtest.h>

#include "report/signature_text.h"
#include "support.h"

namespace opcov {
namespace {

std::string text_of(const std::string& args, const std::string& kwargs, const std::string& output,
                    const std::string& op = "aten.f.default") {
  return signature_text(parse_strict(R"({"args":)" + args + R"(,"kwargs":)" + kwargs + R"(,"op":")" + op +
                                     R"(","output":)" + output + R"(,"stage":""})"));
}

std::string tensor(const std::string& dtype, const std::string& shape, const std::string& stride) {
  return R"({"dtype":"torch.)" + dtype + R"(","shape":)" + shape + R"(,"stride":)" + stride + "}";
}

TEST(SignatureText, ShowsTensorsByDtypeAndShape) {
  const std::string out = tensor("bfloat16", "[1,2640,5120]", "[13516800,5120,1]");
  EXPECT_EQ(
      text_of("[" + out + "," + tensor("bfloat16", "[5120,5120]", "[5120,1]") + "]", "{}", out, "aten.linear.default"),
      "linear(bf16[1,2640,5120], bf16[5120,5120]) -> bf16[1,2640,5120]");
}

TEST(SignatureText, ShowsStridesOnlyWhereNotContiguous) {
  EXPECT_EQ(text_of("[" + tensor("float32", "[4,8]", "[1,4]") + "]", "{}", tensor("int64", "[]", "[]")),
            "f(f32[4,8]{1,4}) -> i64[]");
  EXPECT_EQ(text_of("[" + tensor("float8_e4m3fn", "[0,3]", "[3,1]") + "]", "{}", tensor("bool", "[3]", "[0]")),
            "f(f8_e4m3fn[0,3]) -> bool[3]{0}");
  EXPECT_EQ(text_of(R"([{"dtype":"torch.float32","layout":"torch.sparse_csr","shape":[2,3]}])", "{}", "null"),
            "f(f32[2,3]:sparse_csr) -> None");
}

TEST(SignatureText, ShowsOtherArgumentsAsPythonWould) {
  EXPECT_EQ(text_of(R"(["torch.uint8",[1,2],"same",true,null,0.5,{"float":"-inf"},{"complex":[1.0,2.0]},)"
                    R"({"object":"Generator"},{"dict":[["k",1]]}])",
                    R"({"memory_format":"torch.channels_last"})", "[1,null]", "aten.to.dtype"),
            "to.dtype(u8, [1, 2], \"same\", True, None, 0.5, -inf, complex(1.0, 2.0), Generator, "
            "{\"dict\":[[\"k\",1]]}, memory_format=channels_last) -> [1, None]");
  EXPECT_EQ(operator_text("vllm.moe.default"), "vllm.moe");
}

TEST(Table, AlignsCutsAndCountsCharacters) {
  Table table({{"name", Table::Align::kLeft}, {"n", Table::Align::kRight}});
  table.add_row({"äö", "1"});
  table.add_row({"abcdef", "1,000"});
  EXPECT_EQ(table.text({}), "name        n\näö          1\nabcdef  1,000\n");
  EXPECT_EQ(table.text({.colour = false, .width = 9}), "name  ...\näö    ...\nabcdef...\n");
  EXPECT_EQ(table.text({.colour = true, .width = 0}).substr(0, 4), "\033[1m");
}

TEST(Table, ControlCharactersDoNotReachTheTerminal) {
  Table table({{"a", Table::Align::kLeft}, {"b", Table::Align::kLeft}});
  table.add_row({"x\ny\033[2J", "z\x7f"});
  EXPECT_EQ(table.text({}), "a        b\nx?y?[2J  z?\n");
}

Signature signature(int rows, const std::string& stage) {
  return make_signature(parse_strict(test::linear(rows, stage)));
}

Coverage made_up() {
  Coverage coverage;
  coverage.rows.push_back({signature(1, "dit"), 600, {{0, 600}}, false, {{"a.pt", ""}}});
  coverage.rows.push_back({signature(2, "dit"), 200, {{0, 200}}, false, {}});
  coverage.rows.push_back({signature(3, "vae"), 150, {{0, 150}}, true, {}});
  coverage.rows.push_back({signature(4, "vae"), 50, {{0, 50}}, false, {}});
  coverage.calls = 1000;
  coverage.ranks = {0, 2};
  coverage.world_size = 4;
  coverage.manifests = 1;
  coverage.snapshots = 1;
  coverage.sources.resize(2);
  return coverage;
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST(Summary, HasTotalsByStageAndOperator) {
  const std::string text = summary_text(made_up(), {});
  expect_in(text, "1,000 calls in 4 distinct signatures, from 2 record files of 2 ranks; 1 profiled input\n");
  expect_in(text, "stage  operator  distinct  calls  no kernel  covered  calls covered   FLOPs  FLOPs covered\n");
  expect_in(text, "dit    linear           2    800          0        1         75.0 %  32.0 k         60.0 %\n");
  expect_in(text, "vae    linear           2    200        150        0          0.0 %  6.40 k          0.0 %\n");
  expect_in(text, "total                   4  1,000        150        1         70.6 %  38.4 k         50.0 %\n");
  EXPECT_EQ(text.find("unknown"), std::string::npos);
}

TEST(Summary, ListsUncoveredWorkWithoutWhatRunsNoKernel) {
  const std::string text = summary_text(made_up(), {.top = 1, .style = {}});
  const std::size_t uncovered = text.find("Largest uncovered signatures");
  const std::size_t no_kernel = text.find("Give back their input unchanged");
  ASSERT_NE(uncovered, std::string::npos);
  ASSERT_NE(no_kernel, std::string::npos);
  const std::string list = text.substr(uncovered, no_kernel - uncovered);
  expect_in(list, "  200  20.0 %  dit    linear(bf16[2,4], bf16[4,4]) -> bf16[2,4]\n");
  expect_in(list, "and 1 more signature with 50 calls (--top shows more)\n");
  EXPECT_EQ(list.find("bf16[1,4]"), std::string::npos);
  EXPECT_EQ(list.find("bf16[3,4]"), std::string::npos);
  expect_in(text.substr(no_kernel), "bf16[3,4]");
}

TEST(Summary, NearlyNoneAndNearlyAllAreSaidSo) {
  Coverage coverage = made_up();
  coverage.rows[0].calls = 10'000'000;
  expect_in(summary_text(coverage, {}), "        1        >99.9 %   320 M        >99.9 %\n");
  coverage.rows[0].calls = 1;
  coverage.rows[1].calls = 10'000'000;
  expect_in(summary_text(coverage, {}), "        1         <0.1 %   640 M         <0.1 %\n");
}

TEST(Summary, SaysHowMuchOfTheFlopsIsUnknown) {
  Coverage coverage = made_up();
  Json unknown = parse_strict(test::linear(1));
  unknown["op"] = "aten.einsum.default";
  coverage.rows.push_back({make_signature(std::move(unknown)), 250, {{0, 250}}, false, {}});
  coverage.calls += 250;
  const std::string text = summary_text(coverage, {});
  expect_in(text, "dit    einsum           1    250          0        0          0.0 %  unknown              -\n");
  expect_in(text, "        1         54.5 %   38.4 k         50.0 %\n");
  expect_in(text, "FLOPs are unknown, and left out, of 250 calls in 1 signature (20.0 % of all calls)\n");
}

TEST(Summary, WithoutManifestsSaysNothingOfCoverage) {
  Coverage coverage = made_up();
  coverage.manifests = 0;
  const std::string text = summary_text(coverage, {});
  EXPECT_EQ(text.find("covered"), std::string::npos);
  expect_in(text, "Largest signatures\n");
}

TEST(Summary, EndsWithTheNotices) {
  Coverage coverage = made_up();
  coverage.remarks.notices[{"look_alikes", "addmm x 3"}] = 3;
  coverage.remarks.raised["aten.linear.default"] = 2;
  coverage.remarks.unrecorded = 1;
  coverage.remarks.no_clean_end = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  const std::string text = summary_text(coverage, {});
  expect_in(text, "- look_alikes (3): addmm x 3\n");
  expect_in(text, "- linear raised an exception 2 times; these are not calls\n");
  expect_in(text, "- 1 call could not be described and are not counted\n");
  expect_in(text, "a, b, c, d, e, f, g, h and 1 more\n");
  expect_in(text, "- no record of rank 1, 3 of 4:");
  coverage = made_up();
  coverage.world_size = 0;
  EXPECT_EQ(summary_text(coverage, {}).find("Notices"), std::string::npos);
}

TEST(Summary, TheLargestComeFirstWhateverTheirStage) {
  Coverage coverage = made_up();
  coverage.rows[3].calls = 300;
  const std::string text = summary_text(coverage, {});
  EXPECT_LT(text.find("linear(bf16[4,4]"), text.find("linear(bf16[2,4]"));
}

TEST(Summary, WorkWithoutAKernelIsNeitherCoveredNorHidden) {
  Coverage coverage;
  coverage.rows.push_back({signature(1, ""), 10, {{0, 10}}, true, {{"a.pt", ""}}});
  coverage.calls = 10;
  coverage.manifests = 1;
  const std::string text = summary_text(coverage, {});
  expect_in(text, "(none)  linear           1     10         10        0              -      0              -\n");
  expect_in(text, "   10  100.0 %  (none)  linear(bf16[1,4], bf16[4,4]) -> bf16[1,4]\n");
}

TEST(Summary, NoticesDoNotSteerTheTerminal) {
  Coverage coverage = made_up();
  coverage.remarks.notices[{"k", "\033[2J\n"}] = 1;
  expect_in(summary_text(coverage, {}), "- k (1): ?[2J?\n");
}

TEST(Summary, AnAbsurdWorldSizeIsNoListOfRanks) {
  Coverage coverage = made_up();
  coverage.world_size = 2'000'000;
  EXPECT_EQ(summary_text(coverage, {}).find("no record of rank"), std::string::npos);
}

}  // namespace
}  // namespace opcov
