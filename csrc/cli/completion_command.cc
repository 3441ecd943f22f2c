// `opcov completion SHELL` and `opcov man`: what a package installs beside the executable, from the executable itself.
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/terminal.h"

namespace opcov {
namespace {

class CompletionCommand : public Command {
 public:
  explicit CompletionCommand(CLI::App& parent)
      : Command(parent.add_subcommand("completion", "Write the completion script of a shell")), all_(parent) {
    app().add_option("SHELL", shell_, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
    add_example("source <(opcov completion bash)");
  }

  int run() override {
    const std::vector<CommandHelp> table = command_table(all_);
    print_output(shell_ == "zsh" ? zsh_completion(table) : bash_completion(table));
    return 0;
  }

 private:
  const CLI::App& all_;
  std::string shell_;
};

class ManCommand : public Command {
 public:
  explicit ManCommand(CLI::App& parent) : Command(parent.add_subcommand("man", "Write the manual page")), all_(parent) {
    add_example("opcov man | man -l -");
  }

  int run() override {
    print_output(manual_page(command_table(all_)));
    return 0;
  }

 private:
  const CLI::App& all_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command(CLI::App& parent) {
  return std::make_unique<CompletionCommand>(parent);
}

std::unique_ptr<Command> make_man_command(CLI::App& parent) { return std::make_unique<ManCommand>(parent); }

}  // namespace opcov
