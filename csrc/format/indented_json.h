// Writes canonical JSON as json.dumps(value, indent=2) would have it, piece by piece: a report can be far longer than
// what it is made from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/sink.h"
#include "format/canonical_json.h"

namespace opcov {

class IndentedJson {
 public:
  explicit IndentedJson(Sink sink) : sink_(std::move(sink)) {}

  /// The next piece of JSON without spaces. Strings must not be split.
  void add(std::string_view canonical);

  /// Writes what is left.
  void finish();

 private:
  void new_line(std::size_t depth);

  Sink sink_;
  std::string out_;
  std::size_t depth_ = 0;
  bool just_opened_ = false;
};

/// json.dumps(value, indent=2) of a value that fits, keys in the order they have. No newline at the end.
std::string indented_json(const OrderedJson& value);

}  // namespace opcov
