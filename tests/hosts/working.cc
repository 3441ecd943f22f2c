// working STEP...: takes the steps one after the other, writes a line to stdout, and ends with 3.
// It calls aten.linear.default and aten.select.int, the latter always of a new signature.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "host_calls.h"
#include "opcov/opcov.h"

namespace {

void call_linear(long times) {
  for (long i = 0; i < times; ++i) opcov::test::call_linear();
}

void call_numbered(long times) {
  static std::int64_t number = 0;
  for (long i = 0; i < times; ++i) opcov::test::call_numbered(number++);
}

/// So many threads that are there at one time, with a call each.
void call_on_threads(long n) {
  std::vector<std::thread> threads;
  std::function<void()> nested = [&] {
    call_linear(1);
    if (--n > 0) std::thread(nested).join();
  };
  nested();
}

/// Lets the test do something meanwhile.
void wait(long) {
  std::puts("waiting");
  std::fflush(stdout);
  if (std::getchar() == EOF) std::abort();
}

/// Leaves so many file descriptors.
void leave_descriptors(long n) {
  std::vector<int> taken;
  for (int fd = 0; (fd = open("/dev/null", O_RDONLY)) >= 0;) taken.push_back(fd);
  for (long i = 0; i < n; ++i) close(taken.at(taken.size() - 1 - i));
}

/// From now on the process gets no further pages from the system.
void leave_no_address_space(long) {
  const rlimit nothing{0, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &nothing);
}

const std::map<std::string, void (*)(long)> kSteps = {
    {"linear", call_linear},
    {"numbered", call_numbered},
    {"threads", call_on_threads},
    {"wait", wait},
    {"descriptors", leave_descriptors},
    {"no-address-space", leave_no_address_space},
    {"say", [](long) { std::fputs("the host's own complaint\n", stderr); }},
    {"flush", [](long) { opcov::flush(); }},
    {"reset", [](long) { opcov::reset(); }},
    {"stop", [](long) { opcov::stop(); }},
    {"start", [](long) { opcov::start(); }},
};

/// LOAD=LIBRARY, or a step with a number.
void take(const std::string& step) {
  const auto equals = step.find('=');
  const std::string name = step.substr(0, equals);
  const std::string value = equals == std::string::npos ? "1" : step.substr(equals + 1);
  if (name != "load") return kSteps.at(name)(std::atol(value.c_str()));
  if (dlopen(value.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) std::fprintf(stderr, "%s\n", dlerror());
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) take(argv[i]);
  std::puts("the host's own line");
  return 3;
}
