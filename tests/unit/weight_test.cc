// FLOPs and bytes of calls by their structure; tests/python/test_weights.py holds the formulas against torch's own.
#include "report/weight.h"

#include <gtest/gtest.h>

#include "report/weight_totals.h"
#include "support.h"

namespace opcov {
namespace {

std::string tensor(const std::string& shape, const std::string& stride, const std::string& dtype = "float32") {
  return R"({"dtype":"torch.)" + dtype + R"(","shape":)" + shape + R"(,"stride":)" + stride + "}";
}

Weight weight(const std::string& op, const std::string& args, const std::string& output,
              const std::string& kwargs = "{}") {
  return weight_of(parse_strict(R"({"args":[)" + args + R"(],"kwargs":)" + kwargs + R"(,"op":")" + op +
                                R"(","output":)" + output + R"(,"stage":""})"));
}

const std::string kA = tensor("[3,4]", "[4,1]");
const std::string kB = tensor("[4,5]", "[5,1]");
const std::string kC = tensor("[3,5]", "[5,1]");
const std::string kSparse = R"({"dtype":"torch.float32","layout":"torch.sparse_csr","shape":[3,4]})";

TEST(Weight, OfAProductOfMatrices) {
  const Weight mm = weight("aten.mm.default", kA + "," + kB, kC);
  EXPECT_EQ(mm.flops, 2 * 3 * 4 * 5);
  EXPECT_EQ(mm.bytes, 4 * (12 + 20 + 15));
}

TEST(Weight, AnInPlaceFormWeighsAsTheOtherOneDoes) {
  const std::string args = kC + "," + kA + "," + kB;
  EXPECT_EQ(weight("aten.addmm_.default", args, kC).flops, 120);
  EXPECT_EQ(weight("aten.addmm_.default", args, kC).bytes, weight("aten.addmm.default", args, kC).bytes);
}

TEST(Weight, APlaceForTheOutputIsNotRead) {
  const Weight out = weight("aten.mm.out", kA + "," + kB, kC, "{\"out\":" + kC + "}");
  EXPECT_EQ(out.flops, 120);
  EXPECT_EQ(out.bytes, 4 * (12 + 20 + 15));
  const std::string values = "[" + kC + "," + kA + "]";
  EXPECT_EQ(weight("aten.max.dim_max", kB + ",0", values, "{\"max\":" + kC + ",\"max_values\":" + kA + "}").bytes,
            4 * (20 + 15 + 12));
  EXPECT_EQ(weight("aten.sum.default", kA, kC, "{\"like\":" + kB + "}").bytes, 4 * (12 + 20 + 15));
}

TEST(Weight, OfWhatTheTableDoesNotNameIsUnknown) {
  for (const char* op : {"aten.einsum.default", "vllm.linear.default", "linear", "aten", "aten._.default",
                         "aten.__and__.Tensor", "aten.linear_.default.x_"}) {
    const Weight unknown = weight(op, kA, kC);
    EXPECT_EQ(unknown.flops.has_value(), std::string(op).starts_with("aten.linear_")) << op;
    EXPECT_EQ(unknown.bytes.has_value(), std::string(op).starts_with("aten.linear_")) << op;
  }
}

TEST(Weight, OfTensorsThatAreNotStridedIsUnknown) {
  EXPECT_EQ(weight("aten.mm.default", kSparse + "," + kB, kC).flops, std::nullopt);
  EXPECT_EQ(weight("aten.mm.default", kSparse + "," + kB, kC).bytes, std::nullopt);
  EXPECT_EQ(weight("aten.add.Tensor", kSparse + "," + kSparse, kSparse).flops, 0);
  EXPECT_EQ(weight("aten.add.Tensor", kSparse + "," + kSparse, kSparse).bytes, std::nullopt);
  EXPECT_EQ(weight("aten.abs.default", tensor("[4]", "[1]", "quint4x2"), kA).bytes, std::nullopt);
}

TEST(Weight, OfWhatNoCallHasIsUnknownAndHarmsNothing) {
  for (const std::string& odd : std::vector<std::string>{
           "null", "1", "[]", "{}", tensor("[3]", "[4,1]"), tensor("[-3,4]", "[4,1]"), tensor("[3.5,4]", "[4,1]"),
           tensor("null", "null"), R"({"dtype":1,"shape":[],"stride":[]})"}) {
    for (const char* op :
         {"aten.mm.default", "aten.addbmm.default", "aten.conv2d.default", "aten.conv_transpose2d.input",
          "aten.convolution.default", "aten.convolution_backward.default", "aten.scaled_dot_product_attention.default",
          "aten._flash_attention_forward.default", "aten._flash_attention_backward.default"})
      EXPECT_EQ(weight(op, odd + "," + odd + "," + odd, kC).flops, std::nullopt) << op << odd;
    EXPECT_EQ(weight("aten.mm.default", kA, odd).flops, std::nullopt) << odd;
  }
  EXPECT_EQ(weight("aten.mm.default", "", "null").flops, std::nullopt);
  EXPECT_EQ(weight("aten.mm.default", kA, tensor("[4611686018427387904,4]", "[4,1]")).flops, std::nullopt);
  EXPECT_EQ(weight("aten.abs.default", tensor("[9223372036854775807]", "[1]"), kA).bytes, std::nullopt);
}

TEST(Weight, OfAComplexConvolutionIsUnknown) {
  const std::string x = tensor("[2,4,9]", "[36,9,1]", "complex64");
  EXPECT_EQ(weight("aten.conv1d.default", x + "," + tensor("[6,4,3]", "[12,3,1]", "complex64"),
                   tensor("[2,6,7]", "[42,7,1]", "complex64"))
                .flops,
            std::nullopt);
}

TEST(Weight, OfAttentionWhoseLengthsStandInATensorIsUnknown) {
  const std::string q = tensor("[2,5,3,8]", "[120,24,8,1]");
  const std::string kv = tensor("[2,7,3,8]", "[168,24,8,1]");
  const std::string qkv = q + "," + kv + "," + kv;
  constexpr std::uint64_t kPairs = 2 * 3 * 5 * 7;
  EXPECT_EQ(weight("aten._flash_attention_forward.default", qkv + ",null,null,5,7", q).flops, 2 * kPairs * (8 + 8));
  EXPECT_EQ(weight("aten._flash_attention_forward.default", qkv + "," + kA + "," + kA, q).flops, std::nullopt);
  EXPECT_EQ(weight("aten._efficient_attention_forward.default", qkv + ",null,null,null", q).flops,
            2 * kPairs * (8 + 8));
  EXPECT_EQ(weight("aten._efficient_attention_backward.default", q + "," + qkv + ",null," + q + ",null", q).flops,
            2 * kPairs * (3 * 8 + 2 * 8));
  EXPECT_EQ(weight("aten._flash_attention_backward.default", q + "," + qkv + "," + q + "," + kA + "," + kA, q).flops,
            std::nullopt);
}

TEST(Weight, OfMemoryCountsWhatIsReachedOnce) {
  const auto read = [](const std::string& shape, const std::string& stride) {
    return weight("aten.clone.default", tensor(shape, stride, "int8"), "null").bytes;
  };
  EXPECT_EQ(read("[3,4]", "[4,1]"), 12);
  EXPECT_EQ(read("[3,4]", "[100,1]"), 12);
  EXPECT_EQ(read("[1000,4]", "[0,1]"), 4);
  EXPECT_EQ(read("[7,4]", "[1,1]"), 10);
  EXPECT_EQ(read("[]", "[]"), 1);
  EXPECT_EQ(read("[0,9223372036854775807]", "[1,1]"), 0);
}

TEST(Weight, AReshapeIsACopyWhereTheStridesAllowForNoView) {
  const auto moved = [](const std::string& input, const std::string& output) {
    return weight("aten.reshape.default", input + ",[12]", output).bytes;
  };
  const std::string flat = tensor("[12]", "[1]");
  EXPECT_EQ(moved(kA, flat), 0);
  EXPECT_EQ(moved(tensor("[3,1,4]", "[4,77,1]"), flat), 0);
  EXPECT_EQ(moved(tensor("[3,4]", "[1,3]"), flat), 4 * 24);
  EXPECT_EQ(moved(tensor("[2,2,3]", "[20,10,1]"), tensor("[4,3]", "[10,1]")), 0);
}

CoverageRow row(std::uint64_t calls, bool covered, bool returns_input = false) {
  CoverageRow made{make_signature(parse_strict(test::linear(1))), calls, {{0, calls}}, returns_input, {}};
  if (covered) made.snapshots.push_back({"a.pt", ""});
  return made;
}

TEST(WeightTotals, KeepWhatIsUnknownApart) {
  WeightTotals totals;
  totals.add({10, 1}, row(3, true));
  totals.add({20, std::nullopt}, row(2, false));
  totals.add({std::nullopt, std::nullopt}, row(7, true));
  EXPECT_EQ(canonical_json(totals_json(totals)),
            R"({"flops":{"all":70,"covered":30,"unknown_signatures":1,"unknown_calls":7},)"
            R"("bytes":{"all":3,"covered":3,"unknown_signatures":2,"unknown_calls":9}})");
}

TEST(WeightTotals, OutgrowAnInteger) {
  WeightTotals totals;
  totals.add({INT64_MAX, 0}, row(1'000'000, false));
  EXPECT_EQ(totals_json(totals)["flops"]["all"].get<double>(), 9223372036854775807.0 * 1e6);
}

TEST(WeightTotals, ACallThatGivesItsInputBackWeighsNothing) {
  const CoverageRow gives_back = row(1, false, true);
  const Weight none = weight_of(gives_back, gives_back.signature.value());
  EXPECT_EQ(none.flops, 0);
  EXPECT_EQ(none.bytes, 0);
}

TEST(WeightTotals, AreShownWithThreeDigits) {
  const std::vector<std::pair<double, std::string>> all = {
      {0, "0"},          {999, "999"},       {1000, "1.00 k"},    {9994, "9.99 k"},    {9996, "10.0 k"},
      {99'960, "100 k"}, {999'499, "999 k"}, {999'500, "1.00 M"}, {1.63e15, "1.63 P"}, {1e30, "1000000 Y"},
  };
  for (const auto& [amount, text] : all) EXPECT_EQ(short_amount(amount), text);
  EXPECT_EQ(amount_text(1234), "1,234");
  EXPECT_EQ(amount_text(std::nullopt), "unknown");
}

}  // namespace
}  // namespace opcov
