#include "base/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace opcov {
namespace {

std::string error_of(const Settings& settings) {
  try {
    parse_settings(settings);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, DefaultsAreTheContracts) {
  const Config config = parse_settings({});
  EXPECT_FALSE(config.on);
  EXPECT_EQ(config.dir, "opcov-records");
  EXPECT_EQ(config.ops, (std::vector<std::string>{"aten::linear", "aten::conv3d", "aten::to.*"}));
  EXPECT_FALSE(config.nested);
  EXPECT_TRUE(config.devices.empty());
}

TEST(Settings, ALaterValueReplacesAnEarlierOne) {
  const Config config = parse_settings({{"OPCOV_DIR", "a"}, {"OPCOV", "1"}, {"OPCOV_DIR", " b "}});
  EXPECT_TRUE(config.on);
  EXPECT_EQ(config.dir, "b");
}

TEST(Settings, ListsAndRangesAreTakenApart) {
  const Config config = parse_settings({{"OPCOV_OPS", "dit=aten::linear, @gemm,,"},
                                        {"OPCOV_STAGE_RANGES", "dit=Transformer*,vae=decode*"},
                                        {"OPCOV_DEVICES", "cuda,cpu"}});
  EXPECT_EQ(config.ops, (std::vector<std::string>{"dit=aten::linear", "@gemm"}));
  ASSERT_EQ(config.stage_ranges.size(), 2U);
  EXPECT_EQ(config.stage_ranges[1].stage, "vae");
  EXPECT_EQ(config.stage_ranges[1].glob, "decode*");
  EXPECT_EQ(config.devices, (std::vector<std::string>{"cuda", "cpu"}));
}

TEST(Settings, AnUnknownNameNamesTheRightOnes) {
  const std::string error = error_of({{"OPCOV_OPTS", "1"}});
  EXPECT_NE(error.find("OPCOV_OPTS"), std::string::npos);
  for (const SettingInfo& info : known_settings()) EXPECT_NE(error.find(info.name), std::string::npos) << info.name;
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0);
}

TEST(Settings, BadValuesAreRefusedWithWhatIsWanted) {
  EXPECT_NE(error_of({{"OPCOV", "maybe"}}).find("1 or 0"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_NESTED", "2"}}).find("OPCOV_NESTED"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_STAGE", "a=b"}}).find("OPCOV_STAGE"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_STAGE_RANGES", "dit"}}).find("STAGE=GLOB"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_DEVICES", "tpu"}}).find("cuda"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_OPS", "@gem"}}).find("@gemm"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_OPS", "=aten::to"}}).find("STAGE=GLOB"), std::string::npos);
}

}  // namespace
}  // namespace opcov
