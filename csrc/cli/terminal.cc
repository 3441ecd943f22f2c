#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/output_file.h"
#include "base/printable.h"
#include "format/strict_json.h"

namespace opcov {
namespace {

constexpr std::size_t kLongestMessage = 8000;  // paths alone may have half of that

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

TextStyle style_of(int fd) {
  TextStyle style;
  if (!isatty(fd)) return style;
  style.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
  return style;
}

std::size_t height_of(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

void print_error(const std::string& message) {
  std::fprintf(stderr, "opcov: %s\n", printable(shortened(message, kLongestMessage)).c_str());
}

void print_warnings(const std::vector<Finding>& warnings) {
  for (const Finding& warning : warnings) print_error("warning: " + to_string(warning));
}

void print_line(const std::string& line) { print_output(printable(shortened(line, kLongestMessage)) + "\n"); }

void write_result(const std::string& text, const std::string& path, bool force) {
  write_result([&](const Sink& sink) { sink(text); }, path, force);
}

void write_result(const std::function<void(const Sink&)>& write, const std::string& path, bool force) {
  if (path.empty()) return write(print_output);
  OutputFile file(path, force);
  write([&](std::string_view text) { file.write(text); });
  file.commit();
  std::fprintf(stderr, "Wrote %s\n", path.c_str());
}

void check_json_name(const std::string& path, const std::string& of) {
  if (!is_utf8(path)) throw bad_input(path + ": this name is no UTF-8 and cannot stand in " + of + "; rename the file");
}

void print_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw failure(std::string("cannot write to the standard output: ") + std::strerror(errno));
}

}  // namespace opcov
