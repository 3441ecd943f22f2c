#include "format/object_members.h"

#include <algorithm>

#include "format/strict_json.h"

namespace opcov {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size()); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ == text_.size(); }

  void expect(char c) {
    skip_space();
    if (peek() != c)
      throw FormatError(std::string("not a JSON object on one line: no '") + c + "' at byte " +
                        std::to_string(at_ + 1));
    ++at_;
  }

  std::string_view string() {
    const std::size_t begin = at_;
    if (peek() != '"') throw FormatError("not a JSON object on one line: no key at byte " + std::to_string(at_ + 1));
    skip_string();
    return text_.substr(begin, at_ - begin);
  }

  std::string_view value() {
    skip_space();
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      const bool closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',')) break;
      if (closes) --depth;
      ++at_;
    }
    if (depth != 0) throw FormatError("the line ends inside a value");
    return text_.substr(begin, at_ - begin);
  }

 private:
  void skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return;
      }
      if (text_[at_] == '\\') ++at_;  // what is escaped never ends the string
    }
    throw FormatError("the line ends inside a string");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

ObjectMembers::ObjectMembers(std::string_view line) {
  Scanner scan(line);
  scan.expect('{');
  scan.skip_space();
  while (scan.peek() != '}') {
    if (!members_.empty()) scan.expect(',');
    scan.skip_space();
    std::string key = parse_strict(scan.string()).get<std::string>();
    scan.expect(':');
    const std::string_view value = scan.value();
    if (!raw(key).empty()) throw FormatError("the key \"" + key + "\" is given twice");
    if (value.empty()) throw FormatError("the key \"" + key + "\" has no value");
    members_.emplace_back(std::move(key), value);
    scan.skip_space();
  }
  scan.expect('}');
  scan.skip_space();
  if (!scan.at_end()) throw FormatError("something follows the JSON object on its line");
}

std::string_view ObjectMembers::raw(std::string_view key) const {
  for (const auto& [name, value] : members_)
    if (name == key) return value;
  return {};
}

}  // namespace opcov
