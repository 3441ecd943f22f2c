#include "cli/ncu_command.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace opcov {
namespace {

using Names = std::vector<std::string_view>;

/// Is one of these given, as `--name value` or `--name=value`?
bool given(const std::vector<std::string>& options, const Names& names) {
  return std::any_of(options.begin(), options.end(), [&](std::string_view option) {
    const std::string_view name = option.substr(0, option.find('='));
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

/// A range's name in ncu's filters, in which some characters have a meaning of their own. The slash at the end: a range
/// of a stack (push and pop), as opcov-replay makes them.
std::string range_filter(const std::string& range) {
  std::string filter;
  for (const char c : range) {
    if (std::string_view("\\/[]+*@,:").find(c) != std::string_view::npos) filter += '\\';
    filter += c;
  }
  return filter + "/";
}

}  // namespace

void NcuCommand::check() const {
  for (const std::string_view name : {"-o", "--export", "-i", "--import", "--mode"})
    if (given(options, {name}))
      throw bad_input("profile: " + std::string(name) +
                      " cannot be among ncu's options: opcov names the files (-o DIR), and starts the program");
}

std::vector<std::string> NcuCommand::line(const ProfileTarget& target, const std::string& profile,
                                          bool overwrite) const {
  std::vector<std::string> line = {ncu};
  const auto add = [&](const Names& taken_by, std::initializer_list<std::string> more) {
    if (!given(options, taken_by)) line.insert(line.end(), more);
  };
  add({"--set", "--section", "--metrics"}, {"--set", "full"});
  add({"--target-processes"}, {"--target-processes", "application-only"});
  add({"--replay-mode"}, {"--replay-mode", "kernel"});
  add({"--nvtx"}, {"--nvtx"});
  add({"--nvtx-include", "--nvtx-exclude"}, {"--nvtx-include", range_filter(target.range)});
  line.insert(line.end(), options.begin(), options.end());
  if (overwrite) line.emplace_back("--force-overwrite");
  line.insert(line.end(), {"--export", profile, replay});
  line.push_back(target.snapshot.empty() ? target.signature.digest : target.snapshot);
  for (const std::string& library : libraries) line.insert(line.end(), {"--load", library});
  if (!records.empty()) line.emplace_back("--records");
  line.insert(line.end(), records.begin(), records.end());
  return line;
}

std::string shell_text(const std::vector<std::string>& command) {
  constexpr std::string_view kPlain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-./:=,+@%";
  std::string text;
  for (const std::string& argument : command) {
    if (!text.empty()) text += ' ';
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) c == '\'' ? text += "'\\''" : text += c;
    text += '\'';
  }
  return text;
}

}  // namespace opcov
