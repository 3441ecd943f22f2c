// unloading LIBOPCOV: loads the library by hand, makes calls, and unloads it between them, beside a thread that calls
// all the time.

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "host_calls.h"

int main(int, char** argv) {
  using opcov::test::call_linear;
  std::atomic<bool> enough{false};
  std::atomic<int> returned{0};
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::fprintf(stderr, "%s\n", dlerror());
  std::thread beside([&] {
    for (; !enough; ++returned) call_linear();
  });
  while (returned < 100) std::this_thread::yield();
  if (dlclose(library) != 0) return std::fprintf(stderr, "%s\n", dlerror());
  for (int i = 0; i < 6; ++i) call_linear();
  const int so_far = returned;
  while (returned < so_far + 100) std::this_thread::yield();
  enough = true;
  beside.join();
  std::printf("%d\n", returned + 6);
}
