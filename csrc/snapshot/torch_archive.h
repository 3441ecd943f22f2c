// A file that torch.save wrote, as far as its structure goes: the pickle, and how large each storage is.
//
// Errors: FormatError with the reason and, where there is one, the remedy.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "snapshot/pickle_graph.h"
#include "snapshot/random_access_file.h"

namespace opcov {

/// Where in the file a storage's bytes lie.
struct StoredBytes {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// By the key that the pickle names a storage by.
using StoredBytesByKey = std::map<std::string, StoredBytes, std::less<>>;

class TorchArchive {
 public:
  explicit TorchArchive(const RandomAccessFile& file);

  const PickleGraph& pickle() const { return pickle_; }

  /// Nothing where the file has no such storage.
  std::optional<std::uint64_t> storage_bytes(std::string_view key) const;

  const StoredBytesByKey& storages() const { return storages_; }

 private:
  StoredBytesByKey storages_;
  PickleGraph pickle_;
};

}  // namespace opcov
