// A call to be made again: what is known of it, and where its inputs come from.
#pragma once

#include <string>

#include "format/strict_json.h"
#include "snapshot/torch_archive.h"

namespace opcov {

struct ReplayedCall {
  /// As recorded: tensors have a "device", those of a snapshot that holds values a "place" too (torch_tensors.h).
  /// Output and stage are missing where a snapshot does not state them.
  Json signature;
  std::string digest;         // of the signature without devices and places
  std::string snapshot;       // its path; empty: all inputs are made up
  StoredBytesByKey storages;  // in the snapshot
  Json header;                // of a record that holds the call; null where none is known

  std::string op() const { return signature.at("op").get<std::string>(); }
  std::string stage() const { return signature.value("stage", std::string()); }
};

/// Does the signature name a GPU: a tensor's, or a factory's device?
bool uses_cuda(const Json& signature);

/// The signature as files compare it.
Json without_places(Json signature);

}  // namespace opcov
