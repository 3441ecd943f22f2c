// Takes a line `{"key":value,...}` apart into the raw texts of its members, without parsing the values.
//
// Record files repeat the same few signatures thousands of times over; with the raw text in hand a reader looks a
// signature up before it parses one. Only the envelope is checked here: a value's text has balanced brackets and
// quotes, no more, and has to go through parse_strict() unless equal text has been there before.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcov {

class ObjectMembers {
 public:
  /// Views into `line`. Throws FormatError where the line is no such object or gives a key twice.
  explicit ObjectMembers(std::string_view line);

  /// The member's raw text; an empty view where there is none.
  std::string_view raw(std::string_view key) const;

  const std::vector<std::pair<std::string, std::string_view>>& all() const { return members_; }

 private:
  std::vector<std::pair<std::string, std::string_view>> members_;
};

}  // namespace opcov
