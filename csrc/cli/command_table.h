// The commands and their options as plain data, taken from the parser itself, for whatever describes them: completion
// scripts and the manual cannot know of an option that is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace opcov {

struct OptionHelp {
  std::vector<std::string> names;  // "-o", "--output"; of what stands at a place "RECORDS"
  std::string value;               // "FILE"; empty of a flag
  std::string description;
  std::vector<std::string> choices;  // where only these values are taken
  bool required = false;
};

struct CommandHelp {
  std::string name;
  std::string description;
  std::vector<OptionHelp> places;
  std::vector<OptionHelp> options;
  std::string footer;
};

/// In the order in which they were added.
std::vector<CommandHelp> command_table(const CLI::App& app);

}  // namespace opcov
