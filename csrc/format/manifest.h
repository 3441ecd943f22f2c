// Which operator inputs (snapshots) were profiled, each with the signature of its call; mostly from manifests.
//
// A snapshot's signature may leave out output or stage; what it states has to be equal for a match.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "format/signature.h"

namespace opcov {

struct ProfiledInput {
  std::string input;         // path as the manifest gives it
  std::string input_sha256;  // of that file; empty where nobody has read it for that

  bool operator==(const ProfiledInput&) const = default;
};

/// How files state a snapshot's digest: null where there is none.
inline Json digest_json(const ProfiledInput& snapshot) {
  return snapshot.input_sha256.empty() ? Json() : Json(snapshot.input_sha256);
}

/// A structure that snapshots state.
struct StatedCall {
  std::string text;                 // canonical JSON of a signature without devices, output and stage where stated
  std::vector<std::size_t> places;  // of the snapshots that state it, in the order in which they were added
};

class SnapshotIndex {
 public:
  /// Adds a manifest's lines behind those added before. Throws Error (kBadInput) with file and line.
  void add_manifest(const std::string& path);

  /// Adds one snapshot of a call, its signature checked, behind those added before.
  void add(ProfiledInput snapshot, Json signature);

  /// The snapshots of a signature's structure, in the order in which they were added, each once: two of one path are
  /// two only where both have a digest and the digests differ.
  std::vector<ProfiledInput> matches(const Signature& signature) const;

  /// Each structure once, in the order in which they were first stated.
  const std::vector<StatedCall>& stated() const { return stated_; }

  const ProfiledInput& operator[](std::size_t place) const { return snapshots_[place]; }
  std::size_t size() const { return snapshots_.size(); }
  std::size_t manifests() const { return manifests_; }

 private:
  void add_line(std::string_view line);

  std::vector<ProfiledInput> snapshots_;
  std::vector<StatedCall> stated_;
  // By the keys that a signature leaves out, then by the digest of what it states: places in stated_.
  std::map<std::vector<std::string>, std::map<std::string, std::size_t>> by_statement_;
  std::size_t manifests_ = 0;
};

}  // namespace opcov
