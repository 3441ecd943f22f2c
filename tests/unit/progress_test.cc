// The progress bar: on a terminal alone, after a second, and gone at the end.
#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>

#include <future>

#include "support.h"

namespace opcov {
namespace {

using namespace std::chrono_literals;
using test::Outcome;

TEST(ProgressLine, FitsItsWidth) {
  const auto line = [](std::size_t done, std::size_t width) { return progress_line("reading", done, 200, 3s, width); };
  EXPECT_EQ(line(0, 80), "reading [                                        ] 0 of 200, 3 s");
  EXPECT_EQ(line(50, 80), "reading [##########                              ] 50 of 200, 3 s");
  EXPECT_EQ(line(200, 80), "reading [########################################] 200 of 200, 3 s");
  EXPECT_EQ(line(100, 40), "reading [#######       ] 100 of 200, 3 s");
  EXPECT_EQ(line(100, 31), "reading [##   ] 100 of 200, 3 s");
  EXPECT_EQ(line(100, 31).size(), 31u);
  EXPECT_EQ(line(100, 30), "reading 100 of 200, 3 s");
  EXPECT_EQ(line(100, 10), "reading 10");
  EXPECT_EQ(progress_line("reading", 0, 0, 0s, 27), "reading [     ] 0 of 0, 0 s");
}

/// A terminal of 60 columns: what is written to it, and what it shows in the end.
class Terminal {
 public:
  Terminal() {
    winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
    char name[100];
    if (openpty(&master_, &slave_, name, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    name_ = name;
  }
  ~Terminal() {
    close(master_);
    close(slave_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int fd() const { return slave_; }
  const std::string& name() const { return name_; }

  /// Reads until `text` was written. False where that takes more than a minute.
  bool wait_for(const std::string& text) {
    while (written_.find(text) == std::string::npos)
      if (!read_more(60'000)) return false;
    return true;
  }

  /// Its lines, blanks at their ends left out, once nobody writes any more.
  std::string shows() {
    while (read_more(0)) {
    }
    std::string all;
    std::string line;
    std::size_t column = 0;
    for (const char c : written_) {
      if (c == '\n') {
        all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line.clear();
      } else if (c == '\r') {
        column = 0;
      } else {
        line.resize(std::max(line.size(), column + 1), ' ');
        line[column++] = c;
      }
    }
    return all + line.substr(0, line.find_last_not_of(' ') + 1);
  }

 private:
  bool read_more(int milliseconds) {
    pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
    char text[1000];
    if (poll(&ready, 1, milliseconds) <= 0) return false;
    const ssize_t got = read(master_, text, sizeof text);
    if (got > 0) written_.append(text, static_cast<std::size_t>(got));
    return got > 0;
  }

  int master_ = -1;
  int slave_ = -1;
  std::string name_;
  std::string written_;
};

TEST(Progress, ShowsItsStepsAndIsGoneInTheEnd) {
  Terminal terminal;
  {
    Progress progress("reading", 3, {.fd = terminal.fd(), .delay = 0ms, .period = 1ms});
    EXPECT_TRUE(terminal.wait_for("] 0 of 3, "));
    std::thread other([&] { progress.advance(); });
    progress.advance();
    other.join();
    EXPECT_TRUE(terminal.wait_for("] 2 of 3, "));
  }
  EXPECT_EQ(terminal.shows(), "");
}

TEST(Progress, LinesBesideItStandAlone) {
  Terminal terminal;
  {
    Progress progress("reading", 9, {.fd = terminal.fd(), .delay = 0ms, .period = 1ms});
    for (const std::string done : {"0", "1", "2"}) {
      EXPECT_TRUE(terminal.wait_for("] " + done + " of 9, "));
      progress.beside([&] { EXPECT_EQ(write(terminal.fd(), "line\n", 5), 5); });
      progress.advance();
    }
  }
  EXPECT_EQ(terminal.shows(), "line\nline\nline\n");
}

TEST(Progress, ShortWorkShowsNothing) {
  Terminal terminal;
  { Progress("reading", 1, {.fd = terminal.fd(), .delay = 1h}).advance(); }
  EXPECT_EQ(write(terminal.fd(), ".", 1), 1);
  EXPECT_TRUE(terminal.wait_for("."));
  EXPECT_EQ(terminal.shows(), ".");
}

struct Shown {
  const char* command;
  const char* what;
  const char* says;  // on stderr in the end
};

class ProgressOf : public testing::TestWithParam<Shown> {
 protected:
  /// Runs the command, held at its first read(), its stderr going to `to`.
  std::future<Outcome> start(const std::string& pipe, const std::string& to) {
    const std::string path = dir_.path(pipe);
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    const std::string command = "HELD_BY='" + path + "' LD_PRELOAD=" TEST_HELD_READ " ASAN_OPTIONS=$ASAN_OPTIONS:" +
                                "verify_asan_link_order=0 $OPCOV " + GetParam().command + " 2>" + to;
    return std::async(std::launch::async, [this, command] { return test::shell(command, dir_.path()); });
  }

  /// Returns once the command is held.
  int hold(const std::string& pipe) { return open(dir_.path(pipe).c_str(), O_WRONLY | O_CLOEXEC); }

  test::TempDir dir_;
};

INSTANTIATE_TEST_SUITE_P(Commands, ProgressOf,
                         testing::Values(Shown{"report r", "reading record files", ""},
                                         Shown{"summary r", "reading record files", ""},
                                         Shown{"explain r", "reading record files", ""},
                                         Shown{"merge r --force -o m.jsonl", "reading record files", "Wrote m.jsonl\n"},
                                         Shown{"verify r", "checking record files", ""}),
                         [](const auto& shown) {
                           const std::string command = shown.param.command;
                           return command.substr(0, command.find(' '));
                         });

TEST_P(ProgressOf, LongWorkShowsOnATerminalAlone) {
  for (const char* rank : {"0", "1"})
    dir_.write("r/metadata_rank" + std::string(rank) + ".jsonl", test::header() + test::kEnd);
  Terminal terminal;
  // The one that writes to a file has been at work for longer than the other one when that shows its bar.
  auto to_file = start("one", "err");
  const int one = hold("one");
  auto to_terminal = start("two", terminal.name());
  const int two = hold("two");
  EXPECT_TRUE(terminal.wait_for(std::string(GetParam().what) + " [")) << GetParam().what;
  close(one);
  close(two);
  EXPECT_EQ(to_file.get().status, 0);
  EXPECT_EQ(to_terminal.get().status, 0);
  EXPECT_EQ(test::read_file(dir_.path("err")), GetParam().says);
  EXPECT_EQ(terminal.shows(), GetParam().says);
}

}  // namespace
}  // namespace opcov
