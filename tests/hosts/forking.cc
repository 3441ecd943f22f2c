// forking HOW: makes processes in the way that HOW names. Each process writes a line "PID CALLS" for the recorded calls
// of aten.linear.default that it makes, and the program ends with 0 once it has seen each child end with 0.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "host_calls.h"
#include "opcov/opcov.h"

namespace {

void call(int times) {
  for (int i = 0; i < times; ++i) opcov::test::call_linear();
}

void tell(int calls) { dprintf(STDOUT_FILENO, "%d %d\n", static_cast<int>(getpid()), calls); }

void call_and_tell(int times) {
  call(times);
  tell(times);
}

void wait_for(pid_t child) {
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) {
    dprintf(STDERR_FILENO, "child %d: status %d\n", static_cast<int>(child), status);
    std::abort();
  }
}

template <class Work>
pid_t start_child(Work&& work, void (*end)(int) = std::exit) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    end(0);
  }
  return child;
}

void fork_once() {
  call(3);
  wait_for(start_child([] { call_and_tell(2); }));
  call_and_tell(4);
  tell(3);
}

void fork_and_leave_at_once() {
  call_and_tell(3);
  wait_for(start_child([] { call_and_tell(2); }, _exit));
}

void fork_for_nothing() {
  call_and_tell(3);
  wait_for(start_child([] {}));
}

void fork_before_the_first_call() {
  wait_for(start_child([] { call_and_tell(2); }));
  call_and_tell(3);
}

void fork_generations(int more) {
  call(more);
  if (more > 0) wait_for(start_child([more] { fork_generations(more - 1); }));
  call(1);
  tell(more + 1);
}

void fork_while_paused() {
  call_and_tell(3);
  opcov::pause();
  wait_for(start_child([] {
    call(5);
    opcov::resume();
    call_and_tell(2);
  }));
  call(7);
}

void fork_after_a_stop() {
  call_and_tell(3);
  opcov::stop();
  wait_for(start_child([] {
    call(5);
    opcov::start();
    call_and_tell(2);
  }));
  call(7);
}

void fork_a_child_with_threads() {
  call_and_tell(3);
  wait_for(start_child([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(call_and_tell, 100);
    for (std::thread& thread : threads) thread.join();
    call_and_tell(1);
  }));
}

/// Calls on so many threads while it lives; now and then one of a new signature, so that locks are taken.
class Callers {
 public:
  explicit Callers(int threads) {
    opcov::test::call_linear();  // MKL's first call takes a lock of its own, which a child would find taken
    ++calls_;
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] {
        for (std::int64_t number = 0; !enough_; ++number) {
          opcov::test::call_linear();
          opcov::test::call_numbered(number / 1000);
          ++calls_;
        }
      });
  }
  int calls() const { return calls_; }

  /// Ends the threads and gives the number of their calls of aten.linear.default.
  int join() {
    enough_ = true;
    for (std::thread& thread : threads_) thread.join();
    return calls_;
  }

 private:
  std::atomic<bool> enough_{false};
  std::atomic<int> calls_{0};
  std::vector<std::thread> threads_;
};

constexpr int kThreads = 8;
constexpr int kChildren = 10;

/// Half of the children leave without a word, so that no line of theirs says that they ended.
template <class Work>
void fork_many(Work&& work) {
  for (int i = 0; i < kChildren; ++i) wait_for(start_child(work, i % 2 == 0 ? std::exit : _exit));
}

void fork_beside_calls_and_flushes() {
  Callers callers(kThreads);
  std::atomic<bool> enough{false};
  std::thread flushing([&] {
    for (int next = 0; !enough; std::this_thread::yield())
      if (callers.calls() >= next) {
        opcov::flush();
        next += 1000;
      }
  });
  std::thread([] { fork_many([] { call_and_tell(5); }); }).join();
  enough = true;
  flushing.join();
  tell(callers.join());
}

/// A child is recorded if, and only if, a recording was under way as it was forked. What the parent makes meanwhile is
/// in too many files to be told.
void fork_beside_starts_and_stops() {
  Callers callers(kThreads);
  std::atomic<bool> enough{false};
  std::thread switching([&] {
    while (!enough) {
      opcov::start();
      opcov::flush();
      opcov::pause();
      opcov::resume();
      opcov::reset();
      opcov::stop();
    }
  });
  std::thread([] {
    fork_many([] {
      opcov::resume();
      const int recorded = opcov::recording() ? 5 : 0;
      call(5);
      tell(recorded);
    });
  }).join();
  enough = true;
  switching.join();
  callers.join();
}

void run_other_programs() {
  Callers callers(2);
  for (int i = 0; i < 10; ++i) {
    if (const pid_t child = vfork(); child == 0)
      execl("/bin/true", "true", nullptr);
    else
      wait_for(child);
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    pid_t spawned = 0;
    if (posix_spawn(&spawned, "/bin/true", nullptr, nullptr, arguments, environ) != 0) std::abort();
    wait_for(spawned);
    if (std::system("true") != 0) std::abort();
  }
  tell(callers.join());
}

const std::map<std::string, void (*)()> kWays = {
    {"once", fork_once},
    {"_exit", fork_and_leave_at_once},
    {"for nothing", fork_for_nothing},
    {"before the first call", fork_before_the_first_call},
    {"generations", [] { fork_generations(3); }},
    {"while paused", fork_while_paused},
    {"after a stop", fork_after_a_stop},
    {"a child with threads", fork_a_child_with_threads},
    {"beside calls and flushes", fork_beside_calls_and_flushes},
    {"beside starts and stops", fork_beside_starts_and_stops},
    {"other programs", run_other_programs},
};

}  // namespace

int main(int, char** argv) {
  kWays.at(argv[1])();
  return 0;
}
