// The arguments of a call as parts of a snapshot's pickle: their structure from the call key, and where each tensor's
// values stand. Free of torch's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "intercept/key_table.h"
#include "snapshot/snapshot_writer.h"

namespace opcov {

/// What a key does not say of a tensor.
struct SavedTensor {
  std::optional<std::size_t> storage;  // none: only the structure is to be written
  std::int64_t offset = 0;             // in elements, into the snapshot's storage
  std::int64_t offset_in_call = 0;     // the same in the call
  bool conjugated = false;
  bool negative = false;
};

struct SavedTensors {
  std::vector<SavedTensor> tensors;  // in the order of the key
  std::vector<SnapshotStorage> storages;
};

/// What save_tensors.h made of a call's tensors.
struct CopiedTensors {
  SavedTensors saved;
  std::uint64_t bytes = 0;  // as reserved in the ledger
  /// Makes the storages' data complete; to be called on the thread that writes. Throws. May be empty.
  std::function<void(std::vector<SnapshotStorage>&)> complete;
};

/// Fills the snapshot's args, kwargs, offsets and storages. The key need not have its output yet.
void add_arguments(const KeyView& key, SavedTensors saved, SnapshotContent& snapshot);

}  // namespace opcov
