#include "base/printable.h"

namespace opcov {
namespace {

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7F; }

// U+0080 to U+009F, of which U+009B begins a terminal's control sequence as ESC [ does.
bool is_long_control(unsigned char first, unsigned char second) {
  return first == 0xC2 && second >= 0x80 && second <= 0x9F;
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_control(c)) text[i] = '?';
    if (i + 1 < text.size() && is_long_control(c, static_cast<unsigned char>(text[i + 1]))) text.replace(i, 2, "?");
  }
  return text;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "... (" + std::to_string(text.size() - end) + " bytes more)";
}

}  // namespace opcov
