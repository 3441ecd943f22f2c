// Which signatures are one line of the page, and which are not.
#include "page/size_folds.h"

#include <gtest/gtest.h>

#include <map>

#include "page/content_hash.h"

namespace opcov {
namespace {

using Shape = std::vector<std::int64_t>;

Json tensor(const Shape& shape, const Shape& stride = {}) {
  Shape strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
  return {{"dtype", "torch.bfloat16"}, {"shape", shape}, {"stride", stride.empty() ? strides : stride}};
}

class SizeFolds : public testing::Test {
 protected:
  void add(const std::string& op, const std::vector<Json>& args, const Json& output, const std::string& stage = "dit") {
    const Json call = {{"args", args}, {"kwargs", Json::object()}, {"op", op}, {"output", output}, {"stage", stage}};
    rows_.emplace_back().signature = make_signature(call);
  }
  void add_linear(std::int64_t rows, std::int64_t in = 64, std::int64_t out = 32, const std::string& stage = "dit") {
    add("aten.linear.default", {tensor({1, rows, in}), tensor({out, in})}, tensor({1, rows, out}), stage);
  }

  /// The calls of the folds, each with the sizes and rows of its members.
  std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> folds() const {
    std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> all;
    for (const SizeFold& fold : fold_sizes(rows_))
      for (const auto& [row, size] : fold.members) all[fold.call].emplace_back(size, row);
    return all;
  }

  using Members = std::vector<std::pair<std::int64_t, std::size_t>>;
  std::vector<CoverageRow> rows_;
};

TEST_F(SizeFolds, OneSizeThatChangesIsN) {
  add_linear(30);
  add_linear(10);
  add_linear(20);
  const auto all = folds();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.begin()->first, "linear(bf16[1,N,64], bf16[32,64]) -> bf16[1,N,32]");
  EXPECT_EQ(all.begin()->second, (Members{{10, 1}, {20, 2}, {30, 0}}));
}

TEST_F(SizeFolds, TwoSizesThatChangeAreNone) {
  add_linear(10, 64);
  add_linear(20, 128);
  EXPECT_TRUE(folds().empty());
}

TEST_F(SizeFolds, AWeightsSizeIsNoDynamicOne) {
  add_linear(10, 64, 32);
  add_linear(10, 64, 48);
  add_linear(10, 80, 32);
  EXPECT_TRUE(folds().empty());
}

TEST_F(SizeFolds, StagesAndOperatorsStayApart) {
  add_linear(10, 64, 32, "dit");
  add_linear(20, 64, 32, "vae");
  add("aten.relu.default", {tensor({10, 64})}, tensor({10, 64}));
  add("aten.silu.default", {tensor({20, 64})}, tensor({20, 64}));
  EXPECT_TRUE(folds().empty());
}

TEST_F(SizeFolds, AllPlacesOfTheSizeChangeTogether) {
  const auto add_attention = [&](std::int64_t q, std::int64_t k) {
    add("aten.scaled_dot_product_attention.default",
        {tensor({2, 8, q, 64}), tensor({2, 8, k, 64}), tensor({2, 8, k, 64})}, tensor({2, 8, q, 64}));
  };
  add_attention(100, 100);
  add_attention(200, 200);
  const auto all = folds();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.begin()->first,
            "scaled_dot_product_attention(bf16[2,8,N,64], bf16[2,8,N,64], bf16[2,8,N,64]) -> bf16[2,8,N,64]");
}

TEST_F(SizeFolds, ASizeThatEqualsAWeightsByChanceFoldsToo) {
  add_linear(10);
  add_linear(64);
  EXPECT_EQ(folds().begin()->second, (Members{{10, 0}, {64, 1}}));
}

TEST_F(SizeFolds, StridesOfASliceFollowTheSize) {
  for (const std::int64_t rows : {10, 20})
    add("aten.relu.default", {tensor({2, rows, 64}, {4 * rows * 64, 64, 1})}, tensor({2, rows, 64}));
  EXPECT_EQ(folds().begin()->first, "relu(bf16[2,N,64]{*,64,1}) -> bf16[2,N,64]");
  rows_.clear();
  add("aten.relu.default", {tensor({2, 10, 64}, {4 * 10 * 64, 64, 1})}, tensor({2, 10, 64}));
  add("aten.relu.default", {tensor({2, 20, 64}, {3 * 20 * 64, 64, 1})}, tensor({2, 20, 64}));
  EXPECT_TRUE(folds().empty());
}

TEST_F(SizeFolds, SizesAmongTheArgumentsChangeWithThem) {
  for (const std::int64_t rows : {10, 20}) {
    add("aten.view.default", {tensor({1, rows, 64}), Json::array({1, rows, 8, 8})}, tensor({1, rows, 8, 8}));
    add("aten.zeros.default", {Json::array({1, rows, 7})}, tensor({1, rows, 7}));
  }
  const auto all = folds();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all.contains("view(bf16[1,N,64], [1, N, 8, 8]) -> bf16[1,N,8,8]"));
  EXPECT_TRUE(all.contains("zeros([1, N, 7]) -> bf16[1,N,7]"));
}

TEST_F(SizeFolds, ANumberThatIsNoSizeIsNoDynamicOne) {
  for (const int index : {3, 4}) add("aten.select.int", {tensor({9, 64}), 0, index}, tensor({64}));
  EXPECT_TRUE(folds().empty());
}

TEST_F(SizeFolds, EachRowIsInOneFoldTheLargestFirst) {
  for (const std::int64_t rows : {10, 20, 30}) add("aten.relu.default", {tensor({2, rows})}, tensor({2, rows}));
  add("aten.relu.default", {tensor({4, 10})}, tensor({4, 10}));
  const std::vector<SizeFold> all = fold_sizes(rows_);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].call, "relu(bf16[2,N]) -> bf16[2,N]");
  EXPECT_EQ(all[0].members.size(), 3u);
}

TEST(ContentHash, IsBase64OfTheDigest) {
  // printf 'abc' | openssl dgst -sha256 -binary | base64
  EXPECT_EQ(content_hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
  EXPECT_EQ(content_hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

}  // namespace
}  // namespace opcov
