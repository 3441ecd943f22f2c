#include "base/signal_shield.h"

#include <array>
#include <cerrno>
#include <ctime>

namespace opcov {
namespace {

constexpr std::array<int, 2> kShielded = {SIGPIPE, SIGXFSZ};

}  // namespace

SignalShield::SignalShield() noexcept {
  sigset_t shielded;
  sigemptyset(&shielded);
  for (const int signal : kShielded) sigaddset(&shielded, signal);
  sigemptyset(&pending_before_);
  sigpending(&pending_before_);
  pthread_sigmask(SIG_BLOCK, &shielded, &outer_);
}

SignalShield::~SignalShield() {
  const int error = errno;
  // A signal that our write raised waits now, and would come once the mask is gone.
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  for (const int signal : kShielded) {
    if (sigismember(&pending, signal) == 0 || sigismember(&pending_before_, signal) == 1) continue;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    const timespec at_once{};
    sigtimedwait(&one, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &outer_, nullptr);
  errno = error;
}

}  // namespace opcov
