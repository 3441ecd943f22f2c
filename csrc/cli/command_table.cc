#include "cli/command_table.h"

#include <algorithm>
#include <sstream>

namespace opcov {
namespace {

// "WORK:{calls,signatures}" as the parser puts a type's name and what it checks together.
void split_type(const std::string& type, OptionHelp& option) {
  option.value = type.substr(0, type.find(':'));
  const std::size_t open = type.find('{');
  if (open == std::string::npos) return;
  std::istringstream items(type.substr(open + 1, type.find('}', open) - open - 1));
  for (std::string item; std::getline(items, item, ',');) option.choices.push_back(item);
}

OptionHelp option_help(const CLI::Option& option) {
  OptionHelp help;
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  help.description = option.get_description();
  help.required = option.get_required();
  if (option.get_items_expected_max() > 0) split_type(option.get_type_name(), help);
  return help;
}

CommandHelp command_help(const CLI::App& command) {
  CommandHelp help{command.get_name(), command.get_description(), {}, {}, command.get_footer()};
  for (const CLI::Option* option : command.get_options()) {
    OptionHelp one = option_help(*option);
    if (option->get_positional()) {
      one.names = {option->get_single_name()};
      one.value = one.names.front();
      help.places.push_back(std::move(one));
    } else {
      help.options.push_back(std::move(one));
    }
  }
  return help;
}

}  // namespace

std::vector<CommandHelp> command_table(const CLI::App& app) {
  std::vector<CommandHelp> table;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    table.push_back(command_help(*command));
  return table;
}

}  // namespace opcov
