// SHA-256 as 64 lower-case hexadecimal digits.
//
// Two implementations, of which a program links one: OpenSSL's for the offline tool, which hashes whole files, and a
// plain one for the recorder, which hashes signatures and must not bring an OpenSSL into the host program.
//
// Threads: one object belongs to one thread. Errors: throws Error (kFailure) where OpenSSL gives no SHA-256.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

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
  using Digest = std::array<unsigned char, 32>;
  struct State;

  void begin();
  Digest digest();

  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);

/// Is this what sha256_hex() returns: 64 lower-case hexadecimal digits?
bool is_sha256_hex(std::string_view text);

}  // namespace opcov
