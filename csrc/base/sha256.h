// SHA-256 as 64 lower-case hexadecimal digits.
//
// Threads: one object belongs to one thread. Errors: throws Error (kFailure) where OpenSSL gives no SHA-256.
#pragma once

#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace opcov {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);

  /// The digest of everything given to update(); starts a new one.
  std::string finish();

 private:
  void begin();
  evp_md_ctx_st* context_;
};

std::string sha256_hex(std::string_view bytes);

/// Is this what sha256_hex() returns: 64 lower-case hexadecimal digits?
bool is_sha256_hex(std::string_view text);

}  // namespace opcov
