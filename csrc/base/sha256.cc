#include "base/sha256.h"

#include <algorithm>

namespace opcov {

std::string Sha256::finish() {
  const Digest bytes = digest();
  begin();
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  thread_local Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

bool is_sha256_hex(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace opcov
