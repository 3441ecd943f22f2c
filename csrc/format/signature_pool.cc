#include "format/signature_pool.h"

#include <utility>

namespace opcov {

SignaturePool::Index SignaturePool::intern(std::string_view raw) {
  const auto known = by_text_.find(raw);
  if (known != by_text_.end()) return known->second;

  Signature signature = make_signature(parse_strict(raw));
  const Index next = static_cast<Index>(signatures_.size());
  const auto same = by_digest_.find(signature.digest);
  const Index index = same == by_digest_.end() ? next : same->second;
  if (index == next) {
    signatures_.push_back(std::move(signature));
    by_digest_.emplace(signatures_.back().digest, index);
  }
  by_text_.emplace(raw, index);
  return index;
}

}  // namespace opcov
