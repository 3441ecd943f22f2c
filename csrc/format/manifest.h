// Manifests: which operator inputs (snapshots) were profiled, each with the signature of its call.
//
// A line's signature may leave out output or stage; what it states has to be equal for a match.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "format/signature.h"

namespace opcov {

struct Snapshot {
  std::string input;         // path as the manifest gives it
  std::string input_sha256;  // of that file

  bool operator==(const Snapshot&) const = default;
};

class SnapshotIndex {
 public:
  /// Adds a manifest's lines behind those added before. Throws Error (kBadInput) with file and line.
  void add_manifest(const std::string& path);

  /// The snapshots of a signature's structure, in manifest order, each once.
  std::vector<Snapshot> matches(const Signature& signature) const;

  std::size_t size() const { return snapshots_.size(); }
  std::size_t manifests() const { return manifests_; }

 private:
  void add_line(std::string_view line);

  std::vector<Snapshot> snapshots_;
  // By the keys that a signature leaves out, then by the digest of what it states: places in snapshots_.
  std::map<std::vector<std::string>, std::map<std::string, std::vector<std::size_t>>> by_statement_;
  std::size_t manifests_ = 0;
};

}  // namespace opcov
