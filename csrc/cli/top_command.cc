// `opcov top`: a running job's calls per second, from the counts that it leaves in memory-mapped files.
#include <unistd.h>

#include <optional>

#include "cli/command.h"
#include "cli/screen.h"
#include "cli/terminal.h"
#include "report/live_view.h"

namespace opcov {
namespace {

using Clock = std::chrono::steady_clock;

class TopCommand : public Command {
 public:
  explicit TopCommand(CLI::App& parent)
      : Command(parent.add_subcommand("top", "Watch a running job: calls per second, and what is still uncovered")) {
    app().add_option("RECORDS", records_, "Record files of the job, folders of them, or globs")->required();
    add_inputs_option(inputs_);
    app()
        .add_option("--interval", interval_, "Seconds between two looks")
        ->type_name("S")
        ->capture_default_str()
        ->check(seconds_between(0.05, 86400));
    app()
        .add_option("--iterations", iterations_, "End after so many looks")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000'000));
    app().add_flag("--once", once_, "As --iterations 1");
    add_top_option(top_, "How many signatures to list, where the height of no terminal says it");
    app().add_flag("--json", json_, "Write one line of JSON for each look");
    add_example("opcov top opcov-records --inputs inputs.jsonl");
  }

  int run() override {
    if (once_ && iterations_ > 0) throw bad_input("top: --once is --iterations 1; give one of them");
    const ProfiledInputs inputs = load_inputs(inputs_, /*with_digests=*/false);
    LiveJob job(records_, inputs);
    const bool full_screen = !json_ && looks() == 0 && isatty(STDOUT_FILENO) != 0;
    // First, so that no signal ends the program while the terminal is not as it was.
    Events events(full_screen && isatty(STDIN_FILENO) != 0 ? STDIN_FILENO : -1);
    std::optional<Screen> screen;
    if (full_screen) screen.emplace(STDIN_FILENO);
    watch(job, events, screen ? &*screen : nullptr);
    return 0;
  }

 private:
  // 0: no limit.
  int looks() const { return once_ ? 1 : iterations_; }

  void watch(LiveJob& job, Events& events, Screen* screen) const {
    const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval_));
    LiveSample before = job.sample();
    LiveView view = live_view(before, before, job);
    if (screen != nullptr) draw(view, *screen);
    for (int look = 0; looks() == 0 || look < looks();) {
      const Events::Kind event = events.wait_until(before.at + interval);
      if (event == Events::Kind::kEnd) return;
      if (event == Events::Kind::kTime) {
        LiveSample now = job.sample();
        view = live_view(before, now, job);
        before = std::move(now);
        ++look;
      }
      if (screen != nullptr)
        draw(view, *screen);
      else if (event == Events::Kind::kTime)
        print_output(json_ ? live_json(view) : live_text(view, top_, 0, style_of(STDOUT_FILENO)) + "\n");
    }
  }

  void draw(const LiveView& view, Screen& screen) const {
    constexpr std::size_t kUsualHeight = 24;
    const std::size_t height = height_of(STDOUT_FILENO);
    screen.show(live_text(view, top_, height > 0 ? height : kUsualHeight, style_of(STDOUT_FILENO)));
  }

  std::vector<std::string> records_;
  std::vector<std::string> inputs_;
  double interval_ = 1;
  int iterations_ = 0;
  bool once_ = false;
  std::size_t top_ = 10;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_top_command(CLI::App& parent) { return std::make_unique<TopCommand>(parent); }

}  // namespace opcov
