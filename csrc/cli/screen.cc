#include "cli/screen.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "cli/terminal.h"

namespace opcov {
namespace {

constexpr const char* kEnter = "\033[?1049h\033[?25l";  // alternate screen, no cursor
constexpr const char* kLeave = "\033[?25h\033[?1049l";
constexpr const char* kHome = "\033[H";
constexpr const char* kClearLine = "\033[K";
constexpr const char* kClearBelow = "\033[J";

}  // namespace

Events::Events(int keys) : keys_(keys) {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&watched, number);
  sigprocmask(SIG_BLOCK, &watched, &before_);
  signals_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ >= 0) return;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  throw failure("cannot wait for signals");
}

Events::~Events() {
  close(signals_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool Events::quit_pressed() {
  char pressed[64];
  const ssize_t got = read(keys_, pressed, sizeof pressed);
  if (got <= 0) keys_ = -1;  // nobody will press any more
  return got > 0 && std::string(pressed, static_cast<std::size_t>(got)).find_first_of("qQ") != std::string::npos;
}

Events::Kind Events::wait_until(std::chrono::steady_clock::time_point time) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Kind::kTime;
    pollfd watched[] = {{signals_, POLLIN, 0}, {keys_, POLLIN, 0}};
    const int timeout = static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000));
    if (poll(watched, 2, timeout) < 0 && errno != EINTR) throw failure("cannot wait for keys and signals");
    signalfd_siginfo signal{};
    if (watched[0].revents != 0 && read(signals_, &signal, sizeof signal) == sizeof signal)
      return signal.ssi_signo == SIGWINCH ? Kind::kResized : Kind::kEnd;
    if (watched[1].revents != 0 && quit_pressed()) return Kind::kEnd;
  }
}

Screen::Screen(int input) : input_(input) {
  if (tcgetattr(input_, &before_) == 0) {
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // keys as they are pressed, unseen
    keys.c_cc[VSUSP] = _POSIX_VDISABLE;                     // a stopped view would leave the terminal like this
    changed_ = tcsetattr(input_, TCSANOW, &keys) == 0;
  }
  print_output(kEnter);
}

Screen::~Screen() {
  try {
    print_output(kLeave);
  } catch (const Error&) {
    // The terminal is gone.
  }
  if (changed_) tcsetattr(input_, TCSANOW, &before_);
}

void Screen::show(const std::string& text) {
  std::string drawn = kHome;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) drawn += "\r\n";
    drawn += text.substr(begin, end - begin) + kClearLine;
    begin = end + 1;
  }
  print_output(drawn + kClearBelow);
}

}  // namespace opcov
