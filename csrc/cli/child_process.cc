#include "cli/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace opcov {
namespace {

constexpr std::array<int, 6> kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
volatile sig_atomic_t child_pid = 0;
volatile sig_atomic_t last_signal = 0;

void forward(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  last_signal = signal;
  // A terminal sends Ctrl-C to the whole process group: the child has it already.
  if (child_pid > 0 && info->si_code != SI_KERNEL) kill(child_pid, signal);
  errno = saved;
}

// While it lives, a child's status is kept for this process: where SIGCHLD is ignored the kernel drops it.
class ChildStatusKept {
 public:
  ChildStatusKept() {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, &old_);
  }
  ~ChildStatusKept() { undo(); }
  ChildStatusKept(const ChildStatusKept&) = delete;
  ChildStatusKept& operator=(const ChildStatusKept&) = delete;

  void undo() const { sigaction(SIGCHLD, &old_, nullptr); }

 private:
  struct sigaction old_ {};
};

// While it lives, signals go to the child. A program that this process was told to ignore signals for (nohup) is left
// alone.
class SignalForwarding {
 public:
  SignalForwarding() {
    struct sigaction action {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < kForwarded.size(); ++i) {
      sigaction(kForwarded[i], nullptr, &old_[i]);
      if (old_[i].sa_handler != SIG_IGN) sigaction(kForwarded[i], &action, nullptr);
    }
  }
  ~SignalForwarding() {
    child_pid = 0;
    for (std::size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &old_[i], nullptr);
  }
  SignalForwarding(const SignalForwarding&) = delete;
  SignalForwarding& operator=(const SignalForwarding&) = delete;

 private:
  std::array<struct sigaction, kForwarded.size()> old_{};
};

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& environment, int error_pipe) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int reason = errno;
  if (write(error_pipe, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) throw failure(std::string("cannot wait for the program: ") + std::strerror(errno));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment) {
  std::array<int, 2> error_pipe{};  // stays empty where exec succeeds
  if (pipe2(error_pipe.data(), O_CLOEXEC) != 0)
    throw failure(std::string("cannot make a pipe: ") + std::strerror(errno));
  last_signal = 0;
  const ChildStatusKept kept;
  const SignalForwarding forwarding;
  // A signal between fork and the note of the child's pid would be lost: it waits.
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &old);
  const pid_t pid = fork();
  if (pid == 0) {
    kept.undo();  // the program begins as this process did
    sigprocmask(SIG_SETMASK, &old, nullptr);
    become(command, environment, error_pipe[1]);
  }
  const int fork_errno = errno;
  child_pid = pid;
  sigprocmask(SIG_SETMASK, &old, nullptr);
  close(error_pipe[1]);
  int reason = 0;
  ssize_t got = 0;
  if (pid > 0) {
    do {
      got = read(error_pipe[0], &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
  }
  close(error_pipe[0]);
  if (pid < 0) throw failure(std::string("cannot make a process: ") + std::strerror(fork_errno));
  const int status = wait_for(pid);
  if (got > 0) throw bad_input(command[0] + ": cannot be started: " + std::strerror(reason) + "; check the path");
  return {status, last_signal};
}

}  // namespace opcov
