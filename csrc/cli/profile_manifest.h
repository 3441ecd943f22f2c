// The manifest to which `opcov profile` adds what it has profiled, so that `opcov report --inputs` counts it.
//
// It is whole at any moment: each addition replaces the file by a new one. One process at a time. Errors: throws Error.
#pragma once

#include <string>

#include "format/manifest.h"

namespace opcov {

class ProfileManifest {
 public:
  /// A file that is there is read; it must be a manifest.
  explicit ProfileManifest(std::string path);

  /// Is the file at `profile`, byte for byte, one that the manifest has for this signature?
  bool has(const Signature& signature, const std::string& profile) const;

  /// Does a line tell of a file of this path?
  bool lists(const std::string& profile) const;

  /// In place of what the manifest said of a file of this path.
  void add(const Signature& signature, const std::string& profile);

  /// Takes out what it says of a file of this path.
  void remove(const std::string& profile);

 private:
  const std::string path_;
  std::string text_;
  SnapshotIndex entries_;  // as it was when it was read
};

}  // namespace opcov
