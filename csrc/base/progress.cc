#include "base/progress.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/write_all.h"

namespace opcov {
namespace {

std::size_t width_of(int fd) {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

std::string progress_line(const std::string& what, std::size_t done, std::size_t steps, std::chrono::seconds elapsed,
                          std::size_t width) {
  constexpr std::size_t kLongestBar = 40;
  constexpr std::size_t kShortestBar = 5;
  const std::string counts =
      std::to_string(done) + " of " + std::to_string(steps) + ", " + std::to_string(elapsed.count()) + " s";
  const std::size_t around = what.size() + counts.size() + 4;  // brackets and blanks
  std::string line = what + " ";
  if (width >= around + kShortestBar) {
    const std::size_t length = std::min(kLongestBar, width - around);
    const std::size_t filled = steps == 0 ? 0 : length * std::min(done, steps) / steps;
    line += "[" + std::string(filled, '#') + std::string(length - filled, ' ') + "] ";
  }
  line += counts;
  line.resize(std::min(line.size(), width));
  return line;
}

Progress::Progress(std::string what, std::size_t steps, ProgressStyle style)
    : what_(std::move(what)), steps_(steps), style_(style) {
  if (!isatty(style_.fd)) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // a limit on threads: the work itself matters more
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
  erase();
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  for (auto pause = style_.delay; !ended_.wait_for(lock, pause, [this] { return end_; }); pause = style_.period) draw();
}

void Progress::draw() {
  const auto elapsed = std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
  // The last column stays free: some terminals go to the next line once it is written.
  std::string line =
      progress_line(what_, done_.load(std::memory_order_relaxed), steps_, elapsed, width_of(style_.fd) - 1);
  if (line == shown_) return;
  const std::size_t rest = shown_.size() - std::min(shown_.size(), line.size());
  write_all(style_.fd, "\r" + line + std::string(rest, ' '));
  shown_ = std::move(line);
}

void Progress::erase() {
  if (shown_.empty()) return;
  // Blanks do on every terminal, and need no control sequence.
  write_all(style_.fd, "\r" + std::string(shown_.size(), ' ') + "\r");
  shown_.clear();
}

}  // namespace opcov
