// One command of the offline tool: its options on the command line, and what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/number_option.h"

namespace opcov {

class Command {
 public:
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// The subcommand as the command line parser knows it.
  CLI::App& app() const { return *app_; }

  /// What stands behind `--`; only `run` has a use for it.
  virtual void set_rest(std::vector<std::string> rest) {
    if (!rest.empty()) throw bad_input("opcov " + app_->get_name() + " takes nothing behind --");
  }

  /// Returns the exit status. Throws Error.
  virtual int run() = 0;

 protected:
  explicit Command(CLI::App* app) : app_(app) {}

  void add_inputs_option(std::vector<std::string>& inputs) {
    app_->add_option("--inputs", inputs, "Profiled operator inputs: manifests, .pt files, folders of them")
        ->type_name("INPUTS");
  }

  /// Stands at the end of --help, and in the manual.
  void add_example(const std::string& line) {
    const std::string before = app_->get_footer();
    app_->footer(before + (before.empty() ? "" : "\n\n") + "Example:\n  " + line);
  }

  void add_top_option(std::size_t& top, const std::string& description) {
    app_->add_option("--top", top, description)
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(0, kMostListed));
  }

 private:
  static constexpr std::uint64_t kMostListed = 1'000'000'000;

  CLI::App* app_;
};

std::unique_ptr<Command> make_completion_command(CLI::App& parent);
std::unique_ptr<Command> make_diff_command(CLI::App& parent);
std::unique_ptr<Command> make_explain_command(CLI::App& parent);
std::unique_ptr<Command> make_index_command(CLI::App& parent);
std::unique_ptr<Command> make_man_command(CLI::App& parent);
std::unique_ptr<Command> make_merge_command(CLI::App& parent);
std::unique_ptr<Command> make_profile_command(CLI::App& parent);
std::unique_ptr<Command> make_replay_command(CLI::App& parent);
std::unique_ptr<Command> make_report_command(CLI::App& parent);
std::unique_ptr<Command> make_run_command(CLI::App& parent);
std::unique_ptr<Command> make_summary_command(CLI::App& parent);
std::unique_ptr<Command> make_top_command(CLI::App& parent);
std::unique_ptr<Command> make_verify_command(CLI::App& parent);

}  // namespace opcov
