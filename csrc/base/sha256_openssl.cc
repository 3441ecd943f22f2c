#include <openssl/evp.h>

#include "base/error.h"
#include "base/sha256.h"

namespace opcov {
namespace {

void check(bool ok) {
  if (!ok) throw failure("OpenSSL gives no SHA-256 here; check its installation and configuration");
}

}  // namespace

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) { check(context != nullptr); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  EVP_MD_CTX* const context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { begin(); }
Sha256::~Sha256() = default;

void Sha256::begin() { check(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1); }

void Sha256::update(std::string_view bytes) {
  check(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

Sha256::Digest Sha256::digest() {
  Digest bytes;
  check(EVP_DigestFinal_ex(state_->context, bytes.data(), nullptr) == 1);
  return bytes;
}

}  // namespace opcov
