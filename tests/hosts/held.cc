// held WHERE WHAT: does WHAT while a thread is held WHERE the recorder has taken a lock of its own. As forking,
// processes write "PID CALLS".
//
// The recorder asks for the host's name as it makes a record file, and finds the gethostname() of this program.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "host_calls.h"
#include "opcov/opcov.h"
#include "opcov/stage.h"

namespace {

std::binary_semaphore g_reached{0};
std::binary_semaphore g_go_on{0};
std::function<void()> g_when_held = [] {
  g_reached.release();
  g_go_on.acquire();
};

void tell(int calls) { dprintf(STDOUT_FILENO, "%d %d\n", static_cast<int>(getpid()), calls); }

void call(int times) {
  for (int i = 0; i < times; ++i) opcov::test::call_linear();
}

// Where: the session's lock alone, or the process's and the session's.

void first_call() { call(1); }

void stop_with_a_notice_to_write() { opcov::stop(); }

const std::map<std::string, std::pair<void (*)(), int>> kPlaces = {
    {"call", {first_call, 1}},
    {"stop", {stop_with_a_notice_to_write, 0}},
};

// What.

/// All that a program may do with the recorder in a process that is not recorded.
void use_everything() {
  const int recorded = opcov::recording() ? 5 : 0;
  call(5);
  tell(recorded);
  try {
    opcov::start();
  } catch (const std::runtime_error&) {
  }
  opcov::pause();
  opcov::resume();
  opcov::flush();
  opcov::reset();
  opcov::set_rank(1, 2);
  const opcov::StageScope stage("a name that is new");
  call(5);
  opcov::test::call_numbered(1);
  opcov::stop();
}

void fork_and_use_everything() {
  const pid_t child = fork();
  if (child == 0) {
    use_everything();
    std::exit(0);
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) std::abort();
}

void let_go() { g_go_on.release(); }

void fork_that_waits() {
  pthread_atfork(let_go, nullptr, nullptr);  // before the recorder's own handler, which was there first
  fork_and_use_everything();
}

void fork_that_gives_up() {
  fork_and_use_everything();
  let_go();
}

void exit_7() { std::exit(7); }

const std::map<std::string, void (*)()> kActs = {
    {"fork that waits", fork_that_waits},
    {"fork that gives up", fork_that_gives_up},
    {"exit", exit_7},
};

void in_a_handler(void (*act)()) {
  static void (*what)();
  what = act;
  g_when_held = [] {
    std::signal(SIGUSR1, [](int) { what(); });
    raise(SIGUSR1);
  };
}

}  // namespace

OPCOV_EXPORT int gethostname(char* name, std::size_t length) noexcept {
  std::strncpy(name, "here", length);
  if (g_when_held) std::exchange(g_when_held, nullptr)();
  return 0;
}

int main(int, char** argv) {
  opcov::test::call_numbered(0);  // not recorded; torch is ready then
  const auto [place, calls] = kPlaces.at(argv[1]);
  const std::string act = argv[2];
  if (act == "exit in a handler") in_a_handler(exit_7);
  if (act == "fork in a handler") in_a_handler(fork_and_use_everything);
  std::thread held(place);
  if (kActs.contains(act)) {
    g_reached.acquire();
    kActs.at(act)();
  }
  held.join();
  call(2);
  tell(calls + (opcov::recording() ? 2 : 0));
  return 0;
}
