// Texts of a record's places are bounded: what is cut is marked by "...", and no character is cut in two.
#pragma once

#include <cstddef>
#include <string>

namespace opcov {

inline bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Its beginning counts.
inline std::string short_name(std::string text, std::size_t most = 200) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && is_inside_character(text[end])) --end;
  text.resize(end);
  return text + "...";
}

/// Its end counts.
inline std::string short_path(std::string text, std::size_t most = 300) {
  if (text.size() <= most) return text;
  std::size_t begin = text.size() - most;
  while (begin < text.size() && is_inside_character(text[begin])) ++begin;
  return "..." + text.substr(begin);
}

}  // namespace opcov
