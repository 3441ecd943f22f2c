// A full-screen view on a terminal: an alternate screen that is left, and a terminal that is put back, however it ends.
#pragma once

#include <signal.h>
#include <termios.h>

#include <chrono>
#include <string>

namespace opcov {

/// Waits for time, keys and signals. Blocks SIGINT, SIGTERM, SIGHUP and SIGWINCH while it is there: they come as
/// events.
class Events {
 public:
  enum class Kind { kTime, kResized, kEnd };

  /// `keys`: a terminal whose q ends the view; -1 for none.
  explicit Events(int keys);
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  /// kEnd at q, SIGINT, SIGTERM or SIGHUP.
  Kind wait_until(std::chrono::steady_clock::time_point time);

 private:
  bool quit_pressed();

  int keys_;
  int signals_;
  sigset_t before_{};
};

class Screen {
 public:
  /// Shows on stdout, which is a terminal; `input` may be one.
  explicit Screen(int input);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void show(const std::string& text);

 private:
  int input_;
  bool changed_ = false;
  termios before_{};
};

}  // namespace opcov
