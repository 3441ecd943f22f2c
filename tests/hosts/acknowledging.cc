// acknowledging THREADS: makes calls on so many threads for ever, and writes a byte for each that has returned: 'l' for
// aten.linear.default, 'n' for a signature that is new to this thread. Several threads meet each new signature at about
// the same time, with flushes beside them.

#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "host_calls.h"
#include "opcov/opcov.h"

namespace {

void acknowledge(char what) {
  if (write(STDOUT_FILENO, &what, 1) != 1) std::abort();
}

[[noreturn]] void make_calls() {
  for (std::int64_t number = 0;; ++number) {
    for (int i = 0; i < 7; ++i) {
      opcov::test::call_linear();
      acknowledge('l');
    }
    opcov::test::call_numbered(number);
    acknowledge('n');
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  acknowledge('r');
  if (threads == 1) make_calls();
  std::vector<std::thread> callers;
  for (int i = 0; i < threads; ++i) callers.emplace_back(make_calls);
  for (;;) opcov::flush();
}
