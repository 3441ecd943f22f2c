#include "report/table.h"

#include <algorithm>

#include "base/printable.h"

namespace opcov {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Characters of valid UTF-8; one column each, which holds for what programs call their stages and operators.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace

std::string cut(std::string line, std::size_t width) {
  constexpr std::size_t kDots = 3;
  if (width <= kDots || columns_of(line) <= width) return line;
  std::size_t kept = 0;
  std::size_t at = 0;
  for (; at < line.size(); ++at)
    if (begins_character(line[at]) && kept++ == width - kDots) break;
  return line.substr(0, at) + "...";
}

std::string bold(const std::string& text, const TextStyle& style) {
  return style.colour ? "\033[1m" + text + "\033[0m" : text;
}

void Table::add_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(const TextStyle& style) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(columns_of(columns_[i].title));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  const auto line_of = [&](auto cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& text = cell(i);
      const std::string padding(widths[i] - columns_of(text), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::kRight ? padding + text : text + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return cut(line, style.width);
  };
  std::string out = bold(line_of([&](std::size_t i) -> const std::string& { return columns_[i].title; }), style) + "\n";
  for (const auto& row : rows_) out += line_of([&](std::size_t i) -> const std::string& { return row[i]; }) + "\n";
  return out;
}

}  // namespace opcov
