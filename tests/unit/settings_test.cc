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

TEST(Settings, CaptureTakesAReportAWordOrOperators) {
  EXPECT_FALSE(parse_settings({}).capture.on);
  const CaptureConfig missing = parse_settings({{"OPCOV_CAPTURE", "missing:a,b=c.json"}, {"OPCOV_DIR", "d"}}).capture;
  EXPECT_TRUE(missing.on);
  EXPECT_EQ(missing.report, "a,b=c.json");
  EXPECT_EQ(missing.dir, "d/snapshots");
  EXPECT_FALSE(missing.each_rank);
  EXPECT_EQ(parse_settings({{"OPCOV_CAPTURE", "all"}}).capture.ops, std::vector<std::string>{"*"});
  const CaptureConfig some = parse_settings({{"OPCOV_CAPTURE", "dit=aten::linear,@conv"},
                                             {"OPCOV_CAPTURE_DIR", "s"},
                                             {"OPCOV_CAPTURE_PER", "rank"},
                                             {"OPCOV_CAPTURE_VALUES", "random"},
                                             {"OPCOV_CAPTURE_MAX_COUNT", "3"},
                                             {"OPCOV_CAPTURE_MAX_BYTES", "4"},
                                             {"OPCOV_CAPTURE_MAX_SECONDS", "5"}})
                                 .capture;
  EXPECT_EQ(some.ops, (std::vector<std::string>{"dit=aten::linear", "@conv"}));
  EXPECT_EQ(some.report, "");
  EXPECT_EQ(some.dir, "s");
  EXPECT_TRUE(some.each_rank);
  EXPECT_EQ(some.values, CaptureConfig::Values::kRandom);
  EXPECT_EQ(some.max_count, 3U);
  EXPECT_EQ(some.max_bytes, 4U);
  EXPECT_EQ(some.max_seconds, 5U);
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
  EXPECT_NE(error_of({{"OPCOV_CAPTURE", "missing:"}}).find("missing:REPORT.json"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_CAPTURE", "@gem"}}).find("@gemm"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_CAPTURE_PER", "node"}}).find("job or rank"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_CAPTURE_VALUES", "some"}}).find("keep, none or random"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_CAPTURE_MAX_COUNT", "0"}}).find("a whole number from 1"), std::string::npos);
  EXPECT_NE(error_of({{"OPCOV_OPS", "=aten::to"}}).find("STAGE=GLOB"), std::string::npos);
}

}  // namespace
}  // namespace opcov
