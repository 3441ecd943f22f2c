// Operator calls for the programs of this folder, which are hosts that a test kills, forks or starves. Torch is
// included by host_calls.cc alone. Any thread may call these, also before main() and while the process ends.
#pragma once

#include <cstdint>

namespace opcov::test {

/// One call of aten.linear.default, always of one signature.
void call_linear();

/// One call of aten.select.int, the cheapest there is: each number is a signature of its own.
void call_numbered(std::int64_t number);

}  // namespace opcov::test
