// start, stop, pause, resume, flush, reset and what they leave in the record, from C++.

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "opcov/opcov.h"
#include "opcov/stage.h"
#include "record_reading.h"

namespace opcov {
namespace {

class Recorder : public ::testing::Test {
 protected:
  void begin(Settings more = {}) {
    more.emplace_back("OPCOV_DIR", folder_.path());
    start(more);
  }
  void call(int times = 1) {
    for (int i = 0; i < times; ++i) at::linear(x_, w_);
  }
  test::Record end() {
    const std::string path = record_file();
    stop();
    return test::read_record(path);
  }
  void TearDown() override { stop(); }

  test::TemporaryFolder folder_;
  at::Tensor x_ = at::ones({2, 3});
  at::Tensor w_ = at::ones({4, 3});
};

TEST_F(Recorder, CountsInGradModeNoGradAndInferenceMode) {
  begin();
  call(2);
  {
    const at::NoGradGuard guard;
    call(3);
  }
  {
    const c10::InferenceMode guard;
    call(5);
  }
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 10U);
}

TEST_F(Recorder, GradientsAreTheSameToTheBit) {
  const auto gradient = [&] {
    at::Tensor weight = at::arange(12, at::kFloat).div(7).reshape({4, 3}).requires_grad_();
    at::linear(x_, weight).sin().sum().backward();
    return weight.grad();
  };
  const at::Tensor without = gradient();
  begin();
  const at::Tensor with = gradient();
  EXPECT_TRUE(at::equal(with, without));
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 1U);
}

TEST_F(Recorder, PausedCallsDoNotCount) {
  begin();
  call();
  pause();
  call(10);
  EXPECT_TRUE(recording());
  resume();
  call();
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 2U);
  EXPECT_FALSE(recording());
}

TEST_F(Recorder, ResetForgets) {
  begin();
  call(10);
  reset();
  call(3);
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 3U);
  EXPECT_EQ(folder_.files().size(), 1U);
}

TEST_F(Recorder, AFlushIsReadableAndReplacedByTheEnd) {
  begin();
  call(10);
  flush();
  EXPECT_EQ(test::read_record(record_file()).calls.at(" aten.linear.default"), 10U);
  call();
  const auto record = end();
  EXPECT_EQ(record.calls.at(" aten.linear.default"), 11U);
  EXPECT_TRUE(record.ended);
}

TEST_F(Recorder, ASecondStartMakesASecondFile) {
  begin();
  call(2);
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 2U);
  begin();
  call(3);
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 3U);
  EXPECT_EQ(folder_.files().size(), 2U) << "no sidecar is left beside a clean end";
}

TEST_F(Recorder, StagesAndStageScopedEntries) {
  begin({{"OPCOV_OPS", "dit=aten::linear,aten::relu"}, {"OPCOV_STAGE", "rest"}});
  call();
  at::relu(x_);
  {
    const StageScope scope("dit");
    call(2);
    at::relu(x_);
  }
  const auto record = end();
  const std::map<std::string, std::uint64_t> expected = {
      {"dit aten.linear.default", 2}, {"dit aten.relu.default", 1}, {"rest aten.relu.default", 1}};
  EXPECT_EQ(record.calls, expected);
}

TEST_F(Recorder, TheDefaultStageCountsAsAStageForEntries) {
  begin({{"OPCOV_OPS", "dit=aten::linear"}, {"OPCOV_STAGE", "dit"}});
  call();
  {
    const StageScope scope("vae");
    call();
  }
  EXPECT_EQ(end().calls, (std::map<std::string, std::uint64_t>{{"dit aten.linear.default", 1}}));
}

TEST_F(Recorder, ARaisedCallIsNoCall) {
  begin();
  call();
  EXPECT_THROW(at::linear(x_, at::ones({4, 5})), c10::Error);
  call();
  const auto record = end();
  EXPECT_EQ(record.calls.at(" aten.linear.default"), 2U);
  EXPECT_EQ(record.only("raised").at("ops").at("aten.linear.default"), 1);
}

TEST_F(Recorder, ARankToldLateIsWrittenLate) {
  begin();
  call();
  set_rank(3, 4);
  const auto record = end();
  EXPECT_EQ(record.only("header").at("rank"), 0);
  EXPECT_EQ(record.only("rank").at("rank"), 3);
  EXPECT_EQ(record.only("rank").at("world_size"), 4);
  set_rank(0, 1);
}

TEST_F(Recorder, NestedCountsWhatRunsInside) {
  begin({{"OPCOV_NESTED", "1"}, {"OPCOV_OPS", "aten::linear,aten::addmm,aten::mm,aten::t"}});
  const c10::InferenceMode guard;
  call();
  const auto record = end();
  EXPECT_EQ(record.calls.at(" aten.linear.default"), 1U);
  EXPECT_GE(record.calls.size(), 2U);
}

TEST_F(Recorder, AnUnknownSettingIsRefused) {
  EXPECT_THROW(start({{"OPCOV_OOPS", "1"}}), std::invalid_argument);
  EXPECT_THROW(start({{"OPCOV_DEVICES", "tpu"}}), std::invalid_argument);
  EXPECT_THROW(start({{"OPCOV_OPS", "@unknown"}}), std::invalid_argument);
  EXPECT_FALSE(recording());
}

TEST_F(Recorder, AFolderThatCannotBeMadeTurnsItOffAndTheProgramGoesOn) {
  const std::string file = folder_.path() + "/plain";
  std::ofstream(file) << "x";
  ::testing::internal::CaptureStderr();
  begin();
  stop();
  start({{"OPCOV_DIR", file + "/under"}});
  call(3);
  EXPECT_FALSE(recording());
  stop();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("recording is off"), std::string::npos) << said;
}

TEST_F(Recorder, NothingSelectedSaysSoAndWhatToSet) {
  begin();
  ::testing::internal::CaptureStderr();
  at::mm(x_, w_.t());
  stop();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("aten.mm.default x 1"), std::string::npos) << said;
  EXPECT_NE(said.find("OPCOV_OPS="), std::string::npos) << said;
  ASSERT_EQ(folder_.files().size(), 1U);
  const auto record = test::read_record(folder_.path() + "/" + folder_.files()[0]);
  EXPECT_EQ(record.only("notice").at("kind"), "no_selected_call");
}

TEST_F(Recorder, AForkedChildHasItsOwnFileAndCalls) {
  begin();
  call(5);
  const pid_t child = fork();
  if (child == 0) {
    call(7);
    const std::string path = record_file();
    stop();
    _exit(test::read_record(path).calls.at(" aten.linear.default") == 7U ? 0 : 1);
  }
  call(2);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(end().calls.at(" aten.linear.default"), 7U);
  EXPECT_EQ(folder_.files().size(), 2U);
}

}  // namespace
}  // namespace opcov
