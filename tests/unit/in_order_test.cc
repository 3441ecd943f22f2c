// Work on several threads whose results are taken in order.
#include "base/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

namespace opcov {
namespace {

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

class InOrder : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Threads, InOrder, testing::Values(0, 1, 2, 7));

TEST_P(InOrder, ResultsComeInTheOrderOfTheWork) {
  for (const std::size_t count : {0, 1, 2, 3, 1000}) {
    std::vector<std::size_t> taken;
    std::vector<std::string> made;
    const auto take = [&](std::size_t i, Made<std::string> result) {
      taken.push_back(i);
      made.push_back(result.get());
    };
    in_order(
        count, [](std::size_t i) { return std::to_string(i); }, take, GetParam());
    EXPECT_EQ(taken, numbers(count));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(made[i], std::to_string(i));
  }
}

TEST_P(InOrder, WhatIsThrownIsThrownWhereItsResultIsTaken) {
  const auto make = [](std::size_t i) {
    if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    return i;
  };
  std::vector<std::size_t> taken;
  std::vector<std::string> thrown;
  in_order(
      100, make,
      [&](std::size_t i, Made<std::size_t> made) {
        try {
          taken.push_back(made.get());
        } catch (const std::runtime_error& error) {
          thrown.push_back(error.what());
          taken.push_back(i);
        }
      },
      GetParam());
  EXPECT_EQ(taken, numbers(100));
  EXPECT_EQ(thrown, (std::vector<std::string>{"7", "17", "27", "37", "47", "57", "67", "77", "87", "97"}));
}

TEST_P(InOrder, TheFirstErrorInOrderEndsItAll) {
  // The later one is made at once, the first only when the later one is there, where there are threads for it.
  std::atomic<bool> later{false};
  const auto make = [&](std::size_t i) -> std::size_t {
    if (i == 1) {
      later = true;
      later.notify_all();
      throw std::runtime_error("later");
    }
    if (i == 0 && GetParam() > 1) later.wait(false);
    if (i == 0) throw std::runtime_error("first");
    return i;
  };
  std::vector<std::size_t> taken;
  const auto take = [&](std::size_t i, Made<std::size_t> made) {
    made.get();
    taken.push_back(i);
  };
  try {
    in_order(1000, make, take, GetParam());
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_EQ(taken, std::vector<std::size_t>());
}

TEST_P(InOrder, AnErrorOfTheTakerLeavesNoThreadBehind) {
  std::atomic<std::size_t> made{0};
  const auto make = [&](std::size_t i) { return ++made, i; };
  const auto take = [](std::size_t i, Made<std::size_t>) {
    if (i == 20) throw std::logic_error("taken");
  };
  EXPECT_THROW(in_order(1'000'000, make, take, GetParam()), std::logic_error);
  const std::size_t at_the_end = made;
  EXPECT_GE(at_the_end, 21u);
  EXPECT_LE(at_the_end, 21 + kWaitingResults * GetParam());
}

TEST_P(InOrder, AFewResultsAThreadWaitToBeTaken) {
  std::atomic<std::size_t> alive{0};
  std::atomic<std::size_t> most{0};
  struct Counted {
    explicit Counted(std::atomic<std::size_t>& all) : count(&all) { ++*count; }
    Counted(Counted&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    Counted& operator=(Counted&& other) noexcept {
      std::swap(count, other.count);
      return *this;
    }
    ~Counted() {
      if (count != nullptr) --*count;
    }
    std::atomic<std::size_t>* count;
  };
  const auto make = [&](std::size_t) { return Counted(alive); };
  const auto take = [&](std::size_t, Made<Counted>) { most = std::max<std::size_t>(most, alive); };
  in_order(5000, make, take, GetParam());
  EXPECT_EQ(alive, 0u);
  EXPECT_LE(most, 1 + kWaitingResults * GetParam());
}

TEST_P(InOrder, MakesOnTheThreadsAndTakesOnTheCaller) {
  const std::thread::id self = std::this_thread::get_id();
  std::set<std::thread::id> makers;
  const auto make = [](std::size_t) { return std::this_thread::get_id(); };
  const auto take = [&](std::size_t, Made<std::thread::id> made) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    makers.insert(made.get());
  };
  in_order(100, make, take, GetParam());
  EXPECT_EQ(makers.contains(self), GetParam() == 0);
  EXPECT_LE(makers.size(), std::max<std::size_t>(1, GetParam()));
}

}  // namespace
}  // namespace opcov
