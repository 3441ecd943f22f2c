#include "cli/completion.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace opcov {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// In single quotes, for both shells.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::vector<std::string> option_names(const CommandHelp& command) {
  std::vector<std::string> names;
  for (const OptionHelp& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string bash_command(const CommandHelp& command) {
  std::string text = "    " + command.name + ")\n      options=" + quoted(joined(option_names(command), " ")) + "\n";
  std::string values;
  for (const OptionHelp& option : command.options)
    if (!option.choices.empty())
      values += "        " + joined(option.names, "|") + ") words=" + quoted(joined(option.choices, " ")) + " ;;\n";
  for (const OptionHelp& place : command.places)
    if (!place.choices.empty()) text += "      words=" + quoted(joined(place.choices, " ")) + "\n";
  if (!values.empty()) text += "      case \"$before\" in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

// "[" ends a description in _arguments, ":" a part of it.
std::string zsh_escaped(const std::string& text, const std::string& special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Most values are files of some kind. The others are numbers and texts, of which nothing can be completed.
bool is_file(const std::string& value) {
  constexpr std::array<std::string_view, 8> kOthers = {"KINDS", "LIST", "N", "OP", "PERCENT", "S", "STAGE", "TEXT"};
  return std::find(kOthers.begin(), kOthers.end(), value) == kOthers.end();
}

std::string zsh_action(const OptionHelp& option) {
  if (!option.choices.empty()) return "(" + joined(option.choices, " ") + ")";
  return is_file(option.value) ? "_files" : " ";
}

std::string zsh_command(const CommandHelp& command) {
  std::string text = "    " + command.name + ")\n      _arguments -S";
  for (const OptionHelp& option : command.options) {
    const std::string value =
        option.value.empty() ? "" : ":" + zsh_escaped(option.value, ":[]\\") + ":" + zsh_action(option);
    for (const std::string& name : option.names)
      text += " \\\n        " + quoted(name + "[" + zsh_escaped(option.description, ":[]\\") + "]" + value);
  }
  const OptionHelp* choices = nullptr;
  for (const OptionHelp& place : command.places)
    if (!place.choices.empty()) choices = &place;
  const std::string action = choices != nullptr ? zsh_action(*choices) : "_files";
  return text + " \\\n        " + quoted("*:file:" + action) + "\n      ;;\n";
}

// A line of roff that begins as no request and has its hyphens and backslashes as they are.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string roff_lines(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return lines;
}

std::string manual_option(const OptionHelp& option) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty() && option.value != option.names.front()) head += " \\fI" + roff(option.value) + "\\fR";
  std::string text = ".TP\n" + head + "\n" + roff(option.description) + "\n";
  if (!option.choices.empty()) text += "One of " + roff(joined(option.choices, ", ")) + ".\n";
  return text;
}

std::string manual_command(const CommandHelp& command) {
  std::string text = ".SS \"opcov " + roff(command.name) + "\"\n" + roff(command.description) +
                     (command.description.ends_with('.') ? "\n" : ".\n");
  for (const OptionHelp& place : command.places) text += manual_option(place);
  for (const OptionHelp& option : command.options) text += manual_option(option);
  if (!command.footer.empty()) text += ".PP\n.nf\n" + roff_lines(command.footer) + ".fi\n";
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandHelp>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandHelp& command : commands) {
    names.push_back(command.name);
    cases += bash_command(command);
  }
  return "# bash completion for opcov; written by `opcov completion bash`.\n"
         "_opcov() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' words=''\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W " +
         quoted(joined(names, " ") + " --help --version") +
         " -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "  [[ $current == -* ]] && words=$options\n"
         "  # Nothing found: readline completes files.\n"
         "  [[ -n $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _opcov opcov\n";
}

std::string zsh_completion(const std::vector<CommandHelp>& commands) {
  std::string names;
  std::string cases;
  for (const CommandHelp& command : commands) {
    names += "    " + quoted(zsh_escaped(command.name, ":") + ":" + zsh_escaped(command.description, "\\")) + "\n";
    cases += zsh_command(command);
  }
  return "#compdef opcov\n"
         "# zsh completion for opcov; written by `opcov completion zsh`.\n"
         "_opcov() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         names +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _opcov ]]; then _opcov \"$@\"; else compdef _opcov opcov; fi\n";
}

std::string manual_page(const std::vector<CommandHelp>& commands) {
  std::string text =
      ".TH OPCOV 1 \"\" \"opcov " OPCOV_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\n"
      "opcov \\- which operator calls does a GPU program make, and which of them have been profiled?\n"
      ".SH SYNOPSIS\n"
      ".B opcov\n"
      ".I COMMAND\n"
      "[\\fIOPTIONS\\fR]...\n"
      ".SH DESCRIPTION\n"
      "Reads what the recorder of opcov wrote beside a PyTorch program, and compares it with the operator inputs that\n"
      "were profiled. It works on files alone and needs neither torch nor a GPU.\n"
      ".SH COMMANDS\n";
  for (const CommandHelp& command : commands) text += manual_command(command);
  return text +
         ".SH \"EXIT STATUS\"\n"
         ".TP\n.B 0\ndone; warnings may stand on the standard error\n"
         ".TP\n.B 1\nthe answer is no: a file breaks the format, or a gate failed\n"
         ".TP\n.B 2\nusage, or input that cannot be read or understood\n"
         ".TP\n.B 3\na failure at run time, such as a full disk\n"
         ".SH ENVIRONMENT\n"
         "What is recorded, and where to, stands in variables that begin with OPCOV; the documentation lists them.\n"
         ".B NO_COLOR\n"
         "keeps escape sequences out of what is shown on a terminal.\n";
}

}  // namespace opcov
