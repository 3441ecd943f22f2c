#include "base/printable.h"

namespace opcov {
namespace {

/// Bytes of the UTF-8 character that begins at text[i]; 0 where none does.
std::size_t character_at(const std::string& text, std::size_t i) {
  const auto first = static_cast<unsigned char>(text[i]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0U) == 0xE0 ? 3 : first <= 0xF4 ? 4 : 0;
  if (length == 0 || first < 0xC2 || i + length > text.size()) return 0;
  for (std::size_t j = 1; j < length; ++j)
    if ((static_cast<unsigned char>(text[i + j]) & 0xC0U) != 0x80) return 0;
  return length;
}

/// Of ASCII, and U+0080 to U+009F, of which U+009B begins a terminal's control sequence as ESC [ does.
bool is_control(const std::string& text, std::size_t i) {
  const auto first = static_cast<unsigned char>(text[i]);
  if (first == 0xC2) return static_cast<unsigned char>(text[i + 1]) <= 0x9F;
  return first < 0x20 || first == 0x7F;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_at(text, i);
    // A byte that is no character could be a control character to a terminal that does not take UTF-8.
    if (length == 0 || is_control(text, i))
      shown += '?';
    else
      shown.append(text, i, length);
    i += length == 0 ? 1 : length;
  }
  return shown;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "... (" + std::to_string(text.size() - end) + " bytes more)";
}

}  // namespace opcov
