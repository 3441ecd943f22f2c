#include "intercept/capture/snapshot_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/new_file.h"
#include "format/signature.h"
#include "snapshot/input_name.h"
#include "snapshot/random_access_file.h"
#include "snapshot/snapshot_reader.h"

namespace opcov {
namespace {

constexpr std::string_view kSuffix = ".pt";
constexpr std::string_view kRank = "_rank";  // in a name, before "{R}_{short digest}"

Error failed(const std::string& path, const char* what) {
  return failure(path + ": " + what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// The file may have got its name, or been removed, since it was opened.
bool still_there(int fd, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

void check_read_back(const std::string& path, const std::string& digest) {
  try {
    const RandomAccessFile file(path);
    if (make_signature(read_snapshot(file, {}).signature).digest == digest) return;
  } catch (const std::exception& error) {
    throw NotKept(std::string("what was written is no snapshot of it: ") + error.what());
  }
  throw NotKept("what was written is the snapshot of another signature");
}

/// Is the snapshot at `path` as good as this one? Throws NotKept where it is none of the signature.
bool is_enough(const std::string& path, SnapshotValues values, const std::string& digest) {
  std::string reason = "it is of another signature";
  try {
    const RandomAccessFile file(path);
    const SnapshotCall call = read_snapshot(file, {});
    if (make_signature(call.signature).digest == digest) return call.values >= values;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  throw NotKept("a file of its name is there and no snapshot of it (" + reason + "); move it away");
}

}  // namespace

void SnapshotFolder::look_through() {
  std::error_code code;
  std::filesystem::create_directories(path_, code);
  if (code) throw failure(path_ + ": cannot make this folder: " + code.message());
  DIR* folder = opendir(path_.c_str());
  if (folder == nullptr) throw failed(path_, "cannot read this folder");
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (!name.ends_with(kSuffix) || name.size() < kShortDigest + kSuffix.size()) continue;
    const std::string_view stem = name.substr(0, name.size() - kSuffix.size());
    const std::size_t rank = stem.rfind(kRank);
    if (!each_rank_)
      known_.emplace(stem.substr(stem.size() - kShortDigest), path_ + "/" + entry->d_name);
    else if (rank != std::string_view::npos)
      known_.emplace(stem.substr(rank + kRank.size()), path_ + "/" + entry->d_name);
  }
  closedir(folder);
}

std::string SnapshotFolder::name_of(const SnapshotContent& snapshot, int rank, const std::string& digest) const {
  const auto stage = snapshot.signature.at("stage").get<std::string>();
  return path_ + "/" + input_name(stage, static_cast<std::uint64_t>(rank), digest) + std::string(kSuffix);
}

std::string SnapshotFolder::part_of(const SnapshotContent& snapshot, const std::string& digest) const {
  const std::string whose = each_rank_ ? std::string(kRank) + std::to_string(snapshot.rank) : "";
  return path_ + "/." + digest + whose + ".part";
}

/// The path of what is there of it; empty where nothing is.
std::string SnapshotFolder::found(const SnapshotContent& snapshot, int world_size, const std::string& digest) const {
  const int first = each_rank_ ? snapshot.rank : 0;
  const int end = each_rank_ ? first + 1 : std::max(world_size, snapshot.rank + 1);
  for (int rank = first; rank < end; ++rank)
    if (std::string name = name_of(snapshot, rank, digest); access(name.c_str(), F_OK) == 0) return name;
  return {};
}

int SnapshotFolder::claim(const std::string& part) {
  Descriptor file(past_standard_streams(open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)));
  if (file.get() < 0) throw failed(part, "cannot make this file");
  // A file system without locks: whoever comes second writes into the file of the first, and what is then not read
  // back as its signature is removed.
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return -1;
  if (!still_there(file.get(), part)) return -1;
  // What is in it is of a process that was killed.
  if (ftruncate(file.get(), 0) != 0) throw failed(part, "cannot write");
  return file.release();
}

bool SnapshotFolder::write(const SnapshotContent& snapshot, int world_size, const std::string& digest) {
  if (!looked_through_) look_through();
  looked_through_ = true;
  const std::string short_digest = digest.substr(0, kShortDigest);
  const std::string key = each_rank_ ? std::to_string(snapshot.rank) + "_" + short_digest : short_digest;
  const auto [known, is_new] = known_.try_emplace(key);
  std::string older = std::exchange(known->second, {});
  if (!is_new && (older.empty() || is_enough(older, snapshot.values, digest))) return false;
  const std::string part = part_of(snapshot, digest);
  const Descriptor file(claim(part));
  if (file.get() < 0) return false;
  try {
    // Meanwhile another process may have come first.
    if (const std::string there = found(snapshot, world_size, digest); !there.empty()) {
      if (is_enough(there, snapshot.values, digest)) {
        unlink(part.c_str());
        return false;
      }
      older = there;
    }
    write_snapshot(file.get(), snapshot, part);
    check_read_back(part, digest);
    const std::string name = name_of(snapshot, snapshot.rank, digest);
    if (rename(part.c_str(), name.c_str()) != 0) throw failed(name, "cannot rename the finished file to this name");
    if (!older.empty() && older != name) unlink(older.c_str());
    return true;
  } catch (...) {
    unlink(part.c_str());
    throw;
  }
}

}  // namespace opcov
