// The rule by which an operator counts as composite at an autograd key, held against the dispatcher's own table.

#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "intercept/kernels.h"

namespace opcov {
namespace {

std::string table_line(const std::string& table, const std::string& key) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + ": ")) return line;
  return {};
}

TEST(CompositeRule, AgreesWithTheComputedTableOfEveryOperator) {
  int composites = 0;
  int others = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op) continue;
    const std::string table = op->dumpComputedTable();
    const bool expected = table_line(table, "AutogradCPU").find("[math kernel]") != std::string::npos;
    ASSERT_EQ(is_composite_at(*op, c10::DispatchKey::AutogradCPU, c10::DispatchKey::CPU), expected) << name.name;
    ++(expected ? composites : others);
  }
  EXPECT_GT(composites, 500);
  EXPECT_GT(others, 1000);
}

}  // namespace
}  // namespace opcov
