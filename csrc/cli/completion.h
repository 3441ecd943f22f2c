// Completion scripts for shells, and the manual page: the command table in other words.
#pragma once

#include <string>
#include <vector>

#include "cli/command_table.h"

namespace opcov {

/// To be sourced by bash, or to stand in a folder of bash-completion's.
std::string bash_completion(const std::vector<CommandHelp>& commands);

/// To stand as _opcov in a folder of $fpath, or to be sourced after compinit.
std::string zsh_completion(const std::vector<CommandHelp>& commands);

/// opcov(1) in man's macros.
std::string manual_page(const std::vector<CommandHelp>& commands);

}  // namespace opcov
