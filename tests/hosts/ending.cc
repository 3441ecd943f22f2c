// ending HOW: makes six calls, says so, and ends in the way that HOW names.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "host_calls.h"

namespace {

using opcov::test::call_linear;

void call_six_times() {
  for (int i = 0; i < 6; ++i) call_linear();
}

void exit_9(int) { std::exit(9); }

void exit_in_a_handler() {
  std::signal(SIGUSR1, exit_9);
  raise(SIGUSR1);
}

void exit_on_another_thread() {
  std::thread([] { std::exit(10); }).join();
}

void end_main_before_a_thread() {
  std::thread([main = pthread_self()] {
    pthread_join(main, nullptr);
    call_linear();
    std::exit(11);
  }).detach();
  pthread_exit(nullptr);
}

// Not exit(): torch's own static destructors then end the process from under the other threads.
void quick_exit_with_calls_running() {
  constexpr int kThreads = 4;
  static std::atomic<int> returned{0};
  for (int i = 0; i < kThreads; ++i)
    std::thread([] {
      for (;; ++returned) call_linear();
    }).detach();
  while (returned < 100 * kThreads) std::this_thread::yield();
  std::quick_exit(12);
}

struct CallsWhenDestroyed {
  ~CallsWhenDestroyed() { call_linear(); }
  bool used = false;
};

void call_from_destructors() {
  std::thread([] {
    static thread_local CallsWhenDestroyed before_the_first_call;
    before_the_first_call.used = true;
    call_linear();
    static thread_local CallsWhenDestroyed after_it;
    after_it.used = true;
  }).join();
  static CallsWhenDestroyed when_the_process_ends;
  when_the_process_ends.used = true;
  std::exit(13);
}

void call_at_exit() {
  std::atexit(call_six_times);
  std::exit(14);
}

void call_at_quick_exit() {
  std::at_quick_exit(call_six_times);
  std::quick_exit(15);
}

void become_another_program() { execl("/proc/self/exe", "ending", "return", nullptr); }

const std::map<std::string, void (*)()> kEndings = {
    {"return", [] {}},
    {"exit", [] { std::exit(4); }},
    {"quick_exit", [] { std::quick_exit(5); }},
    {"_exit", [] { _exit(6); }},
    {"abort", [] { std::abort(); }},
    {"exception", [] { throw std::runtime_error("nobody catches this"); }},
    {"SIGTERM", [] { raise(SIGTERM); }},
    {"SIGINT", [] { raise(SIGINT); }},
    {"SIGKILL", [] { raise(SIGKILL); }},
    {"SIGSEGV", [] { raise(SIGSEGV); }},
    {"exec", become_another_program},
    {"exit in a handler", exit_in_a_handler},
    {"exit on another thread", exit_on_another_thread},
    {"main before a thread", end_main_before_a_thread},
    {"quick_exit with calls running", quick_exit_with_calls_running},
    {"calls from destructors", call_from_destructors},
    {"calls at exit", call_at_exit},
    {"calls at quick exit", call_at_quick_exit},
};

}  // namespace

int main(int, char** argv) {
  call_six_times();
  std::puts("six calls");
  std::fflush(stdout);
  std::puts("and a line that only a clean end writes");
  kEndings.at(argv[1])();
  return 3;
}
