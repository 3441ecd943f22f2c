// Puts a snapshot into the folder that all processes of a job share: one a signature, whoever comes first, or one for
// each rank.
//
// The file is written as `.{digest}.part` (`.{digest}_rank{R}.part`), on which the writing process holds a lock that
// ends with it, then read back, and only then gets its name, `{stage}_rank{R}_{first 16 hex of the digest}.pt`.
//
// A snapshot that is there is looked into: one that has less of the values than the new one (structure alone, or random
// ones) gives its place to it.
//
// Threads: one folder object belongs to one thread. Errors: throws Error; NotKept where only this snapshot cannot be.
// Nothing is left behind then.
#pragma once

#include <string>
#include <unordered_map>

#include "base/error.h"
#include "snapshot/snapshot_writer.h"

namespace opcov {

/// What was written is not the signature that it should be, or a file of its name is there that is none of its
/// signature and is left alone.
struct NotKept : Error {
  explicit NotKept(const std::string& reason) : Error(ExitCode::kFailure, reason) {}
};

class SnapshotFolder {
 public:
  SnapshotFolder(std::string path, bool each_rank) : path_(std::move(path)), each_rank_(each_rank) {}

  /// False where the signature has its snapshot already, or another process writes it: one of the ranks below
  /// `world_size` (with `each_rank`: this rank alone), or of a job before.
  bool write(const SnapshotContent& snapshot, int world_size, const std::string& digest);

 private:
  void look_through();
  int claim(const std::string& part);
  std::string name_of(const SnapshotContent& snapshot, int rank, const std::string& digest) const;
  std::string part_of(const SnapshotContent& snapshot, const std::string& digest) const;
  std::string found(const SnapshotContent& snapshot, int world_size, const std::string& digest) const;

  const std::string path_;
  const bool each_rank_;
  bool looked_through_ = false;
  // By "{short digest}", or "{R}_{short digest}": the path of what was there before, empty where it has been looked
  // into or this object wrote it.
  std::unordered_map<std::string, std::string> known_;
};

}  // namespace opcov
