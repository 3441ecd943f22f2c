// What this process's output streams are connected to, and how messages look on stderr.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "format/findings.h"
#include "report/table.h"

namespace opcov {

/// Colour only on a terminal, and not where NO_COLOR is set; the width of the terminal, no limit elsewhere.
TextStyle style_of(int fd);

/// Lines of the terminal; 0 where it is none, or does not say.
std::size_t height_of(int fd);

/// One line on stderr, whatever the message holds.
void print_error(const std::string& message);
void print_warnings(const std::vector<Finding>& warnings);

/// Writes to stdout. Throws Error (kFailure) where the text cannot be written whole; a reader that has gone (`| head`)
/// ends the process quietly by SIGPIPE as for any other tool.
void print_output(std::string_view text);

/// A command's result, which `write` gives to the sink: to the file that -o names, which stderr is told, or to stdout
/// where it names none.
void write_result(const std::function<void(const Sink&)>& write, const std::string& path, bool force);
void write_result(const std::string& text, const std::string& path, bool force);

/// Throws Error (kBadInput) where a file's name is no UTF-8, for which JSON has no form.
void check_json_name(const std::string& path, const std::string& of = "JSON");

/// As print_output() for one line that may quote files.
void print_line(const std::string& line);

}  // namespace opcov
