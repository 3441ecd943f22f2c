#include "base/say.h"

#include <poll.h>
#include <unistd.h>

#include <climits>

#include "base/signal_shield.h"

namespace opcov {

void say(const std::string& line) noexcept try {
  // More than a pipe takes at once would wait for its reader.
  const std::string text = ("opcov: " + line).substr(0, PIPE_BUF - 1) + "\n";
  pollfd stderr_now{STDERR_FILENO, POLLOUT, 0};
  if (poll(&stderr_now, 1, 0) != 1 || (stderr_now.revents & POLLOUT) == 0) return;
  const SignalShield shield;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
} catch (...) {
  return;  // no memory for a line
}

}  // namespace opcov
