// Entry point of the offline tool: parses the command line, runs one command, turns errors into exit codes.
#include <algorithm>
#include <exception>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/usage.h"

namespace opcov {
namespace {

int run_tool(std::vector<std::string> arguments) {
  CLI::App app{"Which operator calls does a GPU program make, and which of them have been profiled?", "opcov"};
  app.set_version_flag("--version", "opcov " OPCOV_VERSION "\n" OPCOV_BUILT_FOR);
  app.require_subcommand(1);
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_run_command(app));
  commands.push_back(make_report_command(app));
  commands.push_back(make_summary_command(app));
  commands.push_back(make_explain_command(app));
  commands.push_back(make_diff_command(app));
  commands.push_back(make_index_command(app));
  commands.push_back(make_merge_command(app));
  commands.push_back(make_replay_command(app));
  commands.push_back(make_profile_command(app));
  commands.push_back(make_top_command(app));
  commands.push_back(make_verify_command(app));
  commands.push_back(make_completion_command(app));
  commands.push_back(make_man_command(app));

  // What follows -- is another program's command line: the parser must not see it.
  std::vector<std::string> rest;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) {
    rest.assign(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw usage_error(app, error);
  }
  for (const auto& command : commands) {
    if (!command->app().parsed()) continue;
    command->set_rest(std::move(rest));
    return command->run();
  }
  return static_cast<int>(ExitCode::kBadInput);
}

}  // namespace
}  // namespace opcov

int main(int argc, char** argv) {
  try {
    return opcov::run_tool({argv + 1, argv + argc});
  } catch (const opcov::Error& error) {
    opcov::print_error(error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    opcov::print_error(std::string("failed: ") + error.what());
    return static_cast<int>(opcov::ExitCode::kFailure);
  }
}
