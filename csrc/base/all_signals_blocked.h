// For making threads that leave the host's signals to the host's threads.
#pragma once

#include <pthread.h>

#include <csignal>

namespace opcov {

/// While one lives this thread takes no signal, and those that it makes never do.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &outer_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &outer_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t outer_{};
};

}  // namespace opcov
