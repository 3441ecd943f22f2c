// What capturing may cost: the budgets, and what is listed when they are spent.

#include "intercept/capture/capture_ledger.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace opcov {
namespace {

using std::chrono::milliseconds;

CaptureConfig budgets() {
  CaptureConfig config;
  config.dir = "there";
  config.max_count = 2;
  config.max_bytes = 100;
  config.max_seconds = 1;
  return config;
}

/// Why there is no room, and whether there never will be.
std::string refusal(CaptureLedger& ledger, std::uint64_t bytes, bool for_good = true) {
  try {
    ledger.reserve(bytes);
  } catch (const NotCaptured& error) {
    EXPECT_EQ(error.for_good, for_good);
    return error.what();
  }
  return "";
}

TEST(CaptureLedger, WaitsOfAllCallsTogetherAreOneBudget) {
  CaptureLedger ledger(budgets());
  ledger.add_wait(milliseconds(600));
  EXPECT_EQ(refusal(ledger, 10), "");
  ledger.add_wait(milliseconds(399));
  EXPECT_EQ(refusal(ledger, 10), "");
  ledger.give_back(10);
  ledger.add_wait(milliseconds(1));
  EXPECT_EQ(refusal(ledger, 10), "past OPCOV_CAPTURE_MAX_SECONDS=1");
}

TEST(CaptureLedger, WhatIsGivenBackCanBeTakenAgain) {
  CaptureLedger ledger(budgets());
  EXPECT_EQ(refusal(ledger, 101), "past OPCOV_CAPTURE_MAX_BYTES=100");
  EXPECT_EQ(refusal(ledger, 100), "");
  EXPECT_EQ(refusal(ledger, 1), "past OPCOV_CAPTURE_MAX_BYTES=100");
  ledger.give_back(100);
  EXPECT_EQ(refusal(ledger, 50), "");
  EXPECT_EQ(refusal(ledger, 50), "");
  EXPECT_EQ(refusal(ledger, 0), "past OPCOV_CAPTURE_MAX_COUNT=2");
  ledger.written("a", 50, /*there=*/false);
  EXPECT_EQ(refusal(ledger, 0), "past OPCOV_CAPTURE_MAX_COUNT=2") << "what is written stays taken";
  ledger.written("b", 50, /*there=*/true);
  EXPECT_EQ(refusal(ledger, 50), "") << "another process's is not this one's";
}

TEST(CaptureLedger, MemoryThatWaitsForTheDiskIsBounded) {
  CaptureConfig config = budgets();
  config.max_count = 10;
  config.max_bytes = 10ULL << 30U;
  CaptureLedger ledger(config);
  EXPECT_EQ(refusal(ledger, 1ULL << 30U), "") << "one call may have more";
  EXPECT_EQ(refusal(ledger, 1, /*for_good=*/false), "too much waited for the disk whenever it was called");
  ledger.written("a", 1ULL << 30U, /*there=*/false);
  EXPECT_EQ(refusal(ledger, 1), "");
}

TEST(CaptureLedger, AfterAFailureNothingIsTaken) {
  CaptureLedger ledger(budgets());
  EXPECT_TRUE(ledger.give_up());
  EXPECT_FALSE(ledger.give_up());
  EXPECT_EQ(refusal(ledger, 1), "capturing ended, for a snapshot could not be written");
}

TEST(CaptureLedger, WhatIsLeftOutIsListedByReasonUnlessItIsCapturedLater) {
  CaptureLedger ledger(budgets());
  ledger.left_out("1", "dit a 1", "too large");
  ledger.left_out("2", "dit b 2", "too large");
  ledger.left_out("3", "dit c 3", "too large");
  ledger.left_out("3", "dit c 3", "sparse");
  ASSERT_EQ(refusal(ledger, 1), "");
  ledger.written("2", 1, /*there=*/false);
  const auto notices = ledger.notices();
  ASSERT_EQ(notices.size(), 3U);
  EXPECT_EQ(notices[0].kind + ": " + notices[0].text, "captured: snapshots in there");
  EXPECT_EQ(notices[1].kind + ": " + notices[1].text, "not_captured: sparse: dit c 3");
  EXPECT_EQ(notices[2].kind + ": " + notices[2].text, "not_captured: too large: dit a 1");
}

}  // namespace
}  // namespace opcov
