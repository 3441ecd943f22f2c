// many_calls CALLS SIGNATURES: after 120 calls of twelve signatures of aten.select.int makes so many calls of so many
// signatures in turn, ends the recording, and writes by how many bytes its resident memory grew meanwhile: as the calls
// were made, and at most.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "host_calls.h"
#include "opcov/opcov.h"

namespace {

void call(long calls, long signatures) {
  for (long i = 0; i < calls; ++i) opcov::test::call_numbered(i % signatures);
}

/// VmRSS (now) or VmHWM (the most so far), in bytes.
long resident(const char* which) {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) std::abort();
  long kilobytes = -1;
  for (char line[256]; kilobytes < 0 && std::fgets(line, sizeof line, file) != nullptr;)
    if (std::strncmp(line, which, std::strlen(which)) == 0) kilobytes = std::atol(line + std::strlen(which) + 1);
  std::fclose(file);
  return kilobytes * 1024;
}

}  // namespace

int main(int, char** argv) {
  call(120, 12);
  const long before = resident("VmRSS");
  call(std::atol(argv[1]), std::atol(argv[2]));
  const long after = resident("VmRSS");
  opcov::stop();
  std::printf("%ld %ld\n", after - before, resident("VmHWM") - before);
}
