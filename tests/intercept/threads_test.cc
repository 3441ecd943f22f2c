// Counts are exact whatever other threads do meanwhile.

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "opcov/opcov.h"
#include "record_reading.h"

namespace opcov {
namespace {

constexpr int kSignatures = 10;
constexpr int kRoundsInABatch = 50;

/// One call each of so many signatures of aten.select.int, the cheapest operator there is.
void call_each_signature() {
  static const at::Tensor x = at::zeros({kSignatures});
  const c10::InferenceMode guard;
  for (int i = 0; i < kSignatures; ++i) at::select(x, 0, i);
}

/// Pauses and resumes between the batches of other threads, which so know whether a batch is recorded.
class Pauses {
 public:
  template <class Calls>
  bool batch(Calls&& calls) {
    changing_.wait(true);
    const std::shared_lock lock(mutex_);
    calls();
    return !paused_;
  }

  void change() {
    changing_ = true;
    {
      const std::unique_lock lock(mutex_);
      paused_ ? resume() : pause();
      paused_ = !paused_;
    }
    changing_ = false;
    changing_.notify_all();
  }

 private:
  std::atomic<bool> changing_{false};  // a shared mutex alone would never let the one writer in
  std::shared_mutex mutex_;
  bool paused_ = false;
};

void join_all(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, TotalsAreExactBesideFlushesPausesAndThreadsStartedBeforeAndAfter) {
  constexpr int kThreads = 64;
  constexpr int kCalls = 100'000;
  const test::TemporaryFolder folder;
  Pauses pauses;
  std::atomic<std::uint64_t> recorded_batches{0};
  std::atomic<bool> go{false};
  std::atomic<int> at_work{kThreads};
  const auto work = [&] {
    go.wait(false);
    for (int i = 0; i < kCalls / kSignatures / kRoundsInABatch; ++i)
      recorded_batches += pauses.batch([] {
        for (int round = 0; round < kRoundsInABatch; ++round) call_each_signature();
      });
    --at_work;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads / 2; ++i) threads.emplace_back(work);
  start({{"OPCOV_DIR", folder.path()}, {"OPCOV_OPS", "aten::select.int"}});
  go = true;
  go.notify_all();
  for (int i = 0; i < kThreads / 2; ++i) threads.emplace_back(work);
  std::thread flushing([&] {
    while (at_work > 0) flush();
  });
  while (at_work > 0) pauses.change();
  flushing.join();
  join_all(threads);
  const std::string path = record_file();
  stop();

  const auto record = test::read_record(path);
  EXPECT_TRUE(record.ended);
  const auto last = record.last("calls").at("calls");
  EXPECT_EQ(last.size(), std::size_t{kSignatures});
  for (const auto& [id, calls] : last.items()) EXPECT_EQ(calls, kRoundsInABatch * recorded_batches) << id;
}

TEST(Threads, ManyThatComeAndGoShareFewCounters) {
  constexpr int kAtOnce = 8;
  constexpr int kInTurn = 250;
  const test::TemporaryFolder folder;
  start({{"OPCOV_DIR", folder.path()}, {"OPCOV_OPS", "aten::select.int"}});
  std::vector<std::thread> threads;
  for (int i = 0; i < kAtOnce; ++i)
    threads.emplace_back([] {
      for (int k = 0; k < kInTurn; ++k) std::thread(call_each_signature).join();
    });
  for (int i = 0; i < 50; ++i) flush();
  join_all(threads);
  const std::string path = record_file();
  struct stat sidecar {};
  ASSERT_EQ(stat((path.substr(0, path.rfind('.')) + ".counts").c_str(), &sidecar), 0);
  EXPECT_EQ(sidecar.st_size, 64 << 10) << "its first size, with room for fifteen threads";
  stop();
  EXPECT_EQ(test::read_record(path).calls.at(" aten.select.int"), std::uint64_t{kAtOnce} * kInTurn * kSignatures);
}

TEST(Threads, StartAndStopBesideRunningCalls) {
  const test::TemporaryFolder folder;
  ::testing::internal::CaptureStderr();  // a recording that saw no call says so
  std::atomic<bool> enough{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (!enough) call_each_signature();
    });
  for (int i = 0; i < 30; ++i) {
    start({{"OPCOV_DIR", folder.path()}, {"OPCOV_OPS", "aten::select.int"}});
    pause();
    resume();
    reset();
    stop();
  }
  enough = true;
  join_all(threads);
  ::testing::internal::GetCapturedStderr();
  EXPECT_FALSE(recording());
}

}  // namespace
}  // namespace opcov
