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

class TorchArchive {
 public:
  explicit TorchArchive(const RandomAccessFile& file);

  const PickleGraph& pickle() const { return pickle_; }

  /// Nothing where the file has no such storage.
  std::optional<std::uint64_t> storage_bytes(std::string_view key) const;

 private:
  std::map<std::string, std::uint64_t, std::less<>> storages_;
  PickleGraph pickle_;
};

}  // namespace opcov
