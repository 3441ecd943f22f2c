#include "opcov/stage.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "intercept/stages.h"
#include "intercept/thread_state.h"

namespace opcov {
namespace {

std::string present_stage() { return stage_name(thread_state().stage); }

TEST(StageScope, TheInnermostWinsAndLeavingRestores) {
  EXPECT_EQ(present_stage(), "");
  {
    const StageScope outer("dit");
    {
      const StageScope inner("vae");
      EXPECT_EQ(present_stage(), "vae");
    }
    EXPECT_EQ(present_stage(), "dit");
  }
  EXPECT_EQ(present_stage(), "");
}

TEST(StageScope, AnExceptionRestoresToo) {
  const StageScope outer("dit");
  try {
    const StageScope inner("vae");
    throw std::runtime_error("x");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(present_stage(), "dit");
  }
}

TEST(StageScope, BelongsToItsThread) {
  const StageScope here("dit");
  std::thread([] { EXPECT_EQ(present_stage(), ""); }).join();
}

TEST(StageScope, NamesCanStandInOpcovOps) {
  const StageScope odd("a=b,c");
  EXPECT_EQ(present_stage(), "a_b_c");
}

}  // namespace
}  // namespace opcov
