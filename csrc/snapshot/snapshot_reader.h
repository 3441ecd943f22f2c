// Reads the call that a snapshot holds (docs/snapshots.md): a .pt file with the inputs of one operator call.
//
// Only the zip directory and the pickle in the file are read, so that the size of the tensors does not matter, and
// nothing is executed, so that it does not matter either who wrote the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "format/strict_json.h"
#include "snapshot/random_access_file.h"
#include "snapshot/snapshot_values.h"
#include "snapshot/torch_archive.h"

namespace opcov {

/// For files that do not say themselves.
struct SnapshotDefaults {
  std::string op;  // as operator_name() gives it
  std::optional<std::string> stage;
};

struct SnapshotCall {
  Json signature;  // as a manifest has it: without devices; without output or stage where nothing states them
  std::optional<std::uint64_t> rank;
  SnapshotValues values = SnapshotValues::kOwn;  // as opcov itself stated it
};

/// What the file says goes before its name (of the stage), and that before the defaults. Throws Error (kBadInput) that
/// names the file.
SnapshotCall read_snapshot(const RandomAccessFile& file, const SnapshotDefaults& defaults);

/// The same call for whoever makes its tensors again: they also say where their values are (torch_tensors.h), unless
/// these are random: then all that is left of a place is the device, and the call has no storages.
struct PlacedSnapshotCall {
  SnapshotCall call;
  StoredBytesByKey storages;
};

PlacedSnapshotCall read_placed_snapshot(const RandomAccessFile& file, const SnapshotDefaults& defaults);

/// Takes devices and places out of a signature, so that it is what read_snapshot() gives.
void remove_places(Json& signature);

/// "aten::linear" and "aten.linear" are "aten.linear.default". Throws FormatError where `text` names no operator.
std::string operator_name(std::string_view text);

}  // namespace opcov
