#include "base/op_selector.h"

#include <gtest/gtest.h>

namespace opcov {
namespace {

bool selects(const std::string& entry, std::string_view name, std::string_view overload) {
  return OpSelector({entry}).select(name, overload).everywhere;
}

TEST(OpSelector, ANameWithoutOverloadMeansAllOfThem) {
  EXPECT_TRUE(selects("aten::to", "aten::to", "dtype"));
  EXPECT_TRUE(selects("aten::linear", "aten::linear", ""));
  EXPECT_TRUE(selects("aten::linear", "aten::linear", "out"));
  EXPECT_FALSE(selects("aten::linear", "aten::linear_backward", ""));
}

TEST(OpSelector, GlobsMatchDotsAndNamespaces) {
  EXPECT_TRUE(selects("aten::to.*", "aten::to", "dtype_layout"));
  EXPECT_FALSE(selects("aten::to.*", "aten::topk", ""));
  EXPECT_TRUE(selects("aten::*", "aten::add", "Tensor"));
  EXPECT_FALSE(selects("aten::*", "prims::add", ""));
  EXPECT_TRUE(selects("*", "torchvision::nms", ""));
}

TEST(OpSelector, PythonsSpellingIsUnderstood) {
  EXPECT_TRUE(selects("aten.linear.default", "aten::linear", ""));
  EXPECT_FALSE(selects("aten.linear.default", "aten::linear", "out"));
  EXPECT_TRUE(selects("aten.to.*", "aten::to", "dtype"));
  EXPECT_TRUE(selects("vllm.*", "vllm::moe", ""));
  EXPECT_TRUE(selects("*.out", "aten::mm", "out"));
  EXPECT_FALSE(selects("*.out", "aten::mm", ""));
}

TEST(OpSelector, AStageInFrontLimitsAnEntry) {
  const OpSelector selector({"dit=aten::linear", "vae=aten::linear", "aten::conv3d"});
  const auto linear = selector.select("aten::linear", "");
  EXPECT_TRUE(linear.selected);
  EXPECT_FALSE(linear.everywhere);
  EXPECT_EQ(linear.stages, (std::vector<std::string>{"dit", "vae"}));
  EXPECT_EQ(linear.entries, (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(selector.select("aten::conv3d", "padding").everywhere);
  EXPECT_FALSE(selector.select("aten::mm", "").selected);
}

TEST(OpSelector, PresetsStandForTheirOperators) {
  EXPECT_TRUE(selects("@gemm", "aten::addmm", "out"));
  EXPECT_TRUE(selects("@conv", "aten::conv3d", "padding"));
  EXPECT_TRUE(selects("@attention", "aten::_scaled_dot_product_flash_attention", ""));
  EXPECT_FALSE(selects("@gemm", "aten::add", "Tensor"));
  EXPECT_EQ(OpSelector({"dit=@gemm"}).select("aten::mm", "").stages, std::vector<std::string>{"dit"});
}

}  // namespace
}  // namespace opcov
