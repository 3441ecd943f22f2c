#include "format/signature_pool.h"

#include <utility>

#include "format/plain_signature.h"

namespace opcov {

SignaturePool::Index SignaturePool::intern(std::string_view raw) {
  if (const auto plain = intern_plain(raw)) return *plain;
  return add(raw, make_signature(parse_strict(raw)));
}

std::optional<SignaturePool::Index> SignaturePool::intern_plain(std::string_view raw) {
  if (const auto known = by_text_.find(raw)) return known;
  if (auto plain = plain_signature(raw)) return add(raw, std::move(*plain));
  return std::nullopt;
}

SignaturePool::Index SignaturePool::add(std::string_view raw, Signature&& signature) {
  const Index index = index_of(std::move(signature));
  by_text_.add(raw, index);
  return index;
}

SignaturePool::Index SignaturePool::index_of(Signature&& signature) {
  const std::lock_guard lock(mutex_);
  const auto same = by_digest_.find(signature.digest);
  if (same != by_digest_.end()) return same->second;
  const Index index = static_cast<Index>(signatures_.size());
  signatures_.push_back(std::move(signature));
  by_digest_.emplace(signatures_.back().digest, index);
  return index;
}

std::deque<Signature> SignaturePool::take() {
  by_text_.clear();
  by_digest_ = {};
  return std::move(signatures_);
}

}  // namespace opcov
