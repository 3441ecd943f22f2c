#include "format/signature_pool.h"

#include <utility>

namespace opcov {

SignaturePool::Index SignaturePool::intern(std::string_view raw) {
  if (const auto known = find(raw)) return *known;
  const Index index = index_of(make_signature(parse_strict(raw)));
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
