// Calls that are captured into CUDA graphs, and the graphs' replays; on a CPU, where a test says what is captured.

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <latch>
#include <thread>

#include "intercept/graph_calls.h"
#include "opcov/graph.h"
#include "opcov/opcov.h"
#include "opcov/stage.h"
#include "record_reading.h"

namespace opcov {
namespace {

thread_local bool t_captures = false;

class Graphs : public ::testing::Test {
 protected:
  void SetUp() override {
    // Of CPU tensors; device type 0.
    graph_calls::g_question = {1U, []() noexcept { return t_captures; }};
    start({{"OPCOV_DIR", folder_.path()}});
  }
  void TearDown() override {
    stop();
    graph_calls::g_question = before_;
  }
  test::Record end() {
    const std::string path = record_file();
    stop();
    return test::read_record(path);
  }
  void call(int times = 1) {
    for (int i = 0; i < times; ++i) at::linear(x_, w_);
  }
  void capture(std::uint64_t graph, int times) {
    opcov_graph_begin(graph);
    t_captures = true;
    call(times);
    t_captures = false;
    opcov_graph_end(graph);
  }
  static std::uint64_t linears(const test::Record& record) {
    const auto found = record.calls.find(" aten.linear.default");
    return found == record.calls.end() ? 0 : found->second;
  }
  static nlohmann::json notice(const test::Record& record, const std::string& kind) {
    for (const auto& line : record.lines)
      if (line["record"] == "notice" && line["kind"] == kind) return line["count"];
    return nullptr;
  }

  const graph_calls::Question before_ = graph_calls::g_question;
  test::TemporaryFolder folder_;
  at::Tensor x_ = at::ones({2, 3});
  at::Tensor w_ = at::ones({4, 3});
};

TEST_F(Graphs, ACaptureIsNoCallAndEachReplayIs) {
  call();
  capture(1, 5);
  opcov_graph_replayed(1);
  opcov_graph_replayed(1);
  const auto record = end();
  EXPECT_EQ(linears(record), 1U + 2 * 5);
  EXPECT_EQ(record.last("captured")["calls"], nlohmann::json({{"0", 5}}));
  EXPECT_EQ(notice(record, "cuda_graph_replays"), 2);
  EXPECT_EQ(notice(record, "cuda_graph"), nullptr);
}

TEST_F(Graphs, WhatWasCapturedAloneIsNoCall) {
  capture(2, 3);
  const auto record = end();
  EXPECT_EQ(linears(record), 0U);
  EXPECT_EQ(record.last("captured")["calls"], nlohmann::json({{"0", 3}}));
}

TEST_F(Graphs, ACaptureThatNobodyToldOfIsNoticed) {
  t_captures = true;
  call(4);
  t_captures = false;
  const auto record = end();
  EXPECT_EQ(linears(record), 0U);
  EXPECT_EQ(record.last("captured")["calls"], nlohmann::json({{"0", 4}}));
  EXPECT_EQ(notice(record, "cuda_graph"), 4);
}

TEST_F(Graphs, StagesAreThoseOfTheCapture) {
  {
    const StageScope stage("dit");
    capture(3, 2);
  }
  const StageScope stage("vae");
  opcov_graph_replayed(3);
  EXPECT_EQ(end().calls, (std::map<std::string, std::uint64_t>{{"dit aten.linear.default", 2}}));
}

TEST_F(Graphs, TwoCapturesAtOnceAreToldApartByTheirThreads) {
  std::latch both_open(2);
  std::latch both_done(2);
  const auto one = [&](std::uint64_t graph, int times) {
    opcov_graph_begin(graph);
    both_open.arrive_and_wait();
    t_captures = true;
    call(times);
    t_captures = false;
    both_done.arrive_and_wait();
    opcov_graph_end(graph);
  };
  std::thread first(one, 4, 2);
  std::thread second(one, 5, 7);
  first.join();
  second.join();
  opcov_graph_replayed(5);
  EXPECT_EQ(linears(end()), 7U);
}

TEST_F(Graphs, AThreadThatWorksForTheOneThatCapturesIsOfItsGraph) {
  opcov_graph_begin(6);
  std::thread([&] {
    t_captures = true;
    call(3);
  }).join();
  opcov_graph_end(6);
  opcov_graph_replayed(6);
  EXPECT_EQ(linears(end()), 3U);
}

TEST_F(Graphs, AGraphOutlivesTheRecordingThatSawItsCapture) {
  capture(7, 2);
  stop();
  opcov_graph_replayed(7);
  start({{"OPCOV_DIR", folder_.path()}});
  opcov_graph_replayed(7);
  pause();
  opcov_graph_replayed(7);
  const auto record = end();
  EXPECT_EQ(linears(record), 2U);
  EXPECT_EQ(record.last("captured"), nullptr);
}

TEST_F(Graphs, AForgottenGraphCountsNoMore) {
  capture(8, 1);
  opcov_graph_forget(8);
  opcov_graph_replayed(8);
  const auto record = end();
  EXPECT_EQ(linears(record), 0U);
  EXPECT_EQ(notice(record, "cuda_graph_replays"), nullptr);
}

TEST_F(Graphs, CountsOutliveAKill) {
  call();
  const pid_t pid = fork();
  if (pid == 0) {
    call();
    capture(9, 5);
    opcov_graph_replayed(9);
    std::ofstream(folder_.path() + "/path") << record_file();
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  std::string path;
  std::ifstream(folder_.path() + "/path") >> path;
  EXPECT_EQ(test::read_record(path).last("captured")["calls"], nlohmann::json({{"0", 5}}));
  std::ifstream sidecar(path.substr(0, path.rfind('.')) + ".counts", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(sidecar)), {});
  constexpr std::size_t kBlock = 4096;
  std::uint64_t calls = 0;
  for (std::size_t block = kBlock; block + kBlock <= bytes.size(); block += kBlock) {
    std::uint64_t count = 0;
    std::memcpy(&count, bytes.data() + block + 16, sizeof count);
    calls += count;
  }
  EXPECT_EQ(calls, 1U + 5);
}

}  // namespace
}  // namespace opcov
