// `opcov replay`: hands over to opcov-replay, which links torch and so is a program of its own, with its own options.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/beside_this.h"
#include "cli/command.h"

namespace opcov {
namespace {

class ReplayCommand : public Command {
 public:
  explicit ReplayCommand(CLI::App& parent)
      : Command(parent.add_subcommand("replay", "Make recorded calls again, each alone (opcov replay --help)")) {
    app().set_help_flag();
    app().prefix_command();
    add_example("opcov replay 255d8b64 --records opcov-records");
  }

  int run() override {
    const std::string program = beside_this("opcov-replay");
    std::vector<std::string> arguments = app().remaining();
    std::vector<char*> all = {const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) all.push_back(argument.data());
    all.push_back(nullptr);
    execv(program.c_str(), all.data());
    throw bad_input(program + ": cannot be started: " + std::strerror(errno) +
                    "; it comes with the recorder, install opcov with torch");
  }
};

}  // namespace

std::unique_ptr<Command> make_replay_command(CLI::App& parent) { return std::make_unique<ReplayCommand>(parent); }

}  // namespace opcov
