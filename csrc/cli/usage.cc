#include "cli/usage.h"

#include <string>

namespace opcov {
namespace {

// The first line alone: CLI11 puts its own hint behind it.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string hint(const CLI::App& command, const CLI::ParseError& error) {
  const bool unexpected = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (command.get_name() == "run" && unexpected) return "write opcov run [OPTIONS] -- CMD...";
  const CLI::Option* inputs = command.get_option_no_throw("--inputs");
  const bool missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (missing && inputs != nullptr && inputs->count() > 0)
    return "write RECORDS before --inputs, which takes every name behind it for one of theirs";
  return "see opcov " + command.get_name() + " --help";
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const auto unknown = app.remaining();
  if (chosen.empty() && !unknown.empty())
    return bad_input("there is no command " + unknown.front() + "; see opcov --help");
  if (chosen.empty()) return bad_input(first_line(error.what()) + "; see opcov --help");
  const CLI::App& command = *chosen.front();
  return bad_input(command.get_name() + ": " + first_line(error.what()) + "; " + hint(command, error));
}

}  // namespace opcov
