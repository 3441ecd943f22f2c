// A call of a signature already met allocates nothing for the recorder: as often as the same call while paused.
#include <gtest/gtest.h>
#include <opcov/opcov.h>
#include <torch/torch.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "record_reading.h"

namespace {
std::atomic<long> g_allocations{0};

void* allocate(std::size_t bytes) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
}  // namespace

// Of the whole process, libopcov and torch included.
void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace opcov {
namespace {

template <class Calls>
long allocations_of(const Calls& calls) {
  const long before = g_allocations.load();
  for (int i = 0; i < 100; ++i) calls();
  return g_allocations.load() - before;
}

class Allocations : public ::testing::Test {
 protected:
  template <class Calls>
  void expect_none_of_ours(const Calls& calls) {
    const c10::InferenceMode inference;
    start({{"OPCOV_DIR", folder_.path()}, {"OPCOV_OPS", "aten::*"}});
    for (int i = 0; i < 3; ++i) calls();
    const long recorded = allocations_of(calls);
    pause();
    const long paused = allocations_of(calls);
    stop();
    EXPECT_EQ(recorded, paused);
  }

  const at::Tensor x_ = at::ones({2, 3}), y_ = at::ones({2, 3}), w_ = at::ones({4, 3});

 private:
  const test::TemporaryFolder folder_;
};

TEST_F(Allocations, OfTypedCallsAreTheHostsAlone) {
  expect_none_of_ours([&] {
    at::linear(x_, w_);
    x_.to(at::kFloat);
    at::cat({x_, y_}, 1);
    at::softmax(x_, -1);
    x_.view({6});
  });
}

TEST_F(Allocations, OfBoxedCallsAreTheHostsAlone) {
  expect_none_of_ours([&] {
    at::hypot(x_, y_);
    at::cdist(x_, y_);
    at::nan_to_num(x_, 1.0);
  });
}

TEST_F(Allocations, OfASignatureThatIsNewAreSeen) {
  const c10::InferenceMode inference;
  const test::TemporaryFolder folder;
  start({{"OPCOV_DIR", folder.path()}, {"OPCOV_OPS", "aten::hypot"}});
  const at::Tensor slice = w_.narrow(0, 0, 2).as_strided({2, 3}, {1, 2});
  at::hypot(x_, y_);
  const long before = g_allocations.load();
  at::hypot(x_, slice);
  const long first = g_allocations.load() - before;
  at::hypot(x_, slice);
  const long second = g_allocations.load() - before - first;
  stop();
  EXPECT_GT(first, second);
}

}  // namespace
}  // namespace opcov
