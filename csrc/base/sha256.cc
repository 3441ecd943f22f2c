#include "base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace opcov {
namespace {

void check(bool ok) {
  if (!ok) throw failure("OpenSSL gives no SHA-256 here; check its installation and configuration");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr);
  begin();
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::begin() { check(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1); }

void Sha256::update(std::string_view bytes) { check(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1); }

std::string Sha256::finish() {
  std::array<unsigned char, 32> digest;
  check(EVP_DigestFinal_ex(context_, digest.data(), nullptr) == 1);
  begin();
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
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
