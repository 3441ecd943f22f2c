// A plain text table: columns as wide as their longest cell, numbers to the right, an optional limit on the width.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace opcov {

/// How and where text is shown.
struct TextStyle {
  bool colour = false;
  std::size_t width = 0;  // columns of the terminal; 0: no limit
};

/// The line, its end marked by "..." in place of what is beyond the width.
std::string cut(std::string line, std::size_t width);

std::string bold(const std::string& text, const TextStyle& style);

class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<std::string> cells);

  /// Lines with a newline each. Where a line would be wider than style.width its end is cut off, marked by "...".
  std::string text(const TextStyle& style) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace opcov
