#include "page/content_hash.h"

#include <cstdint>

#include "base/sha256.h"

namespace opcov {
namespace {

unsigned digit_value(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

// Six hexadecimal digits are three bytes and four digits of base64.
std::string base64_of_hex(std::string hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t bytes = hex.size() / 2;
  while (hex.size() % 6 != 0) hex += '0';
  std::string text;
  for (std::size_t at = 0; at < hex.size(); at += 6) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 6; ++i) bits = bits << 4 | digit_value(hex[at + i]);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[bits >> shift & 63];
  }
  const std::size_t padding = (3 - bytes % 3) % 3;
  return text.replace(text.size() - padding, padding, padding, '=');
}

}  // namespace

std::string content_hash(std::string_view text) { return "'sha256-" + base64_of_hex(sha256_hex(text)) + "'"; }

}  // namespace opcov
