// Writes a snapshot (docs/snapshots.md) that snapshot_reader.h and torch.load(weights_only=True) take.
//
// Threads: each snapshot on its own. Errors: throws Error (kFailure), which names the path, where the file cannot be
// written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/strict_json.h"
#include "snapshot/pickle_writer.h"
#include "snapshot/snapshot_values.h"

namespace opcov {

/// Memory that tensors of the snapshot lie in.
struct SnapshotStorage {
  std::string location;     // "cpu", "cuda:0"
  std::uint64_t zeros = 0;  // bytes in front of the data that no tensor reaches
  std::uint64_t bytes = 0;  // of the data
  std::shared_ptr<char> data;
};

struct SnapshotTensor {
  std::string dtype;  // "torch.float32"
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> stride;
  std::int64_t offset = 0;  // elements into the storage
  bool conjugated = false;
  bool negative = false;
};

struct SnapshotContent {
  Json signature;  // its op, stage and output are written; args and kwargs stand in the pickles below
  int rank = 0;
  SnapshotValues values = SnapshotValues::kOwn;
  std::string args;     // a part of a pickle (pickle_writer.h): a tuple
  std::string kwargs;   // a dict
  std::string offsets;  // a dict; empty where all tensors stand at the offset that they had
  std::vector<SnapshotStorage> storages;
};

/// A tensor in the storage of this number.
void append_tensor(const SnapshotTensor& tensor, std::size_t number, const SnapshotStorage& storage,
                   PickleWriter& pickle);

/// A tensor of which only the structure is known.
void append_meta_tensor(const SnapshotTensor& tensor, PickleWriter& pickle);

/// One of torch's constants, by the name that Python prints: a dtype, layout, memory format or qscheme.
void append_constant(std::string_view name, PickleWriter& pickle);

/// Something without a structure, of which the type is known.
void append_object(std::string_view type, PickleWriter& pickle);

void write_snapshot(int fd, const SnapshotContent& snapshot, const std::string& path);

}  // namespace opcov
