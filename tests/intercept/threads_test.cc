// Counts are exact whatever other threads do meanwhile.

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "opcov/opcov.h"
#include "record_reading.h"

namespace opcov {
namespace {

constexpr int kThreads = 16;
constexpr int kCalls = 3000;

void make_calls() {
  const c10::InferenceMode guard;
  const at::Tensor x = at::ones({2, 3});
  const at::Tensor w = at::ones({4, 3});
  for (int i = 0; i < kCalls; ++i) at::linear(i % 2 == 0 ? x : w, w);
}

TEST(Threads, TotalsAreExactBesideFlushesAndThreadsThatEnd) {
  const test::TemporaryFolder folder;
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  const auto when_told = [&] {
    go.wait(false);
    make_calls();
  };
  for (int i = 0; i < kThreads / 2; ++i) threads.emplace_back(when_told);  // started before the recording
  start({{"OPCOV_DIR", folder.path()}});
  go = true;
  go.notify_all();
  for (int i = 0; i < kThreads / 2; ++i) threads.emplace_back(make_calls);  // and during it
  for (int i = 0; i < 50; ++i) flush();
  for (std::thread& thread : threads) thread.join();
  std::thread(make_calls).join();  // takes up the counters of one that ended
  const std::string path = record_file();
  stop();
  EXPECT_EQ(test::read_record(path).calls.at(" aten.linear.default"), std::uint64_t{kThreads + 1} * kCalls);
}

TEST(Threads, StartAndStopBesideRunningCalls) {
  const test::TemporaryFolder folder;
  std::atomic<bool> enough{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (!enough) make_calls();
    });
  for (int i = 0; i < 30; ++i) {
    start({{"OPCOV_DIR", folder.path()}});
    pause();
    resume();
    reset();
    stop();
  }
  enough = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(recording());
}

}  // namespace
}  // namespace opcov
