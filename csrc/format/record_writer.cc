#include "format/record_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/new_file.h"
#include "base/signal_shield.h"
#include "base/write_all.h"

namespace opcov {
namespace {

constexpr int kMostNames = 10000;

// Plain POSIX here: libtorch.so exports parts of std::filesystem of another compiler, which a program that links torch
// would be given instead of its own.

bool make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (mkdir(path.substr(0, slash).c_str(), 0777) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
      return false;
  return mkdir(path.c_str(), 0777) == 0 || errno == EEXIST;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

}  // namespace

std::string absolute_path(const std::string& path) {
  if (path.starts_with('/')) return path;
  char* folder = getcwd(nullptr, 0);
  if (folder == nullptr) return path;
  const std::string joined = std::string(folder) + "/" + path;
  std::free(folder);
  return joined;
}

RecordWriter::RecordWriter(int fd, std::string path, std::string counts_path)
    : fd_(fd), path_(std::move(path)), counts_path_(std::move(counts_path)) {}

RecordWriter::~RecordWriter() { close(fd_); }

std::unique_ptr<RecordWriter> RecordWriter::create(const std::string& dir, int rank, long pid, std::string& error) {
  const std::string folder = absolute_path(dir);
  if (!make_folders(folder)) {
    error = "cannot make the folder " + dir + ": " + std::strerror(errno);
    return nullptr;
  }
  const std::string stem = folder + "/metadata_rank" + std::to_string(rank) + "_pid" + std::to_string(pid);
  for (int attempt = 1; attempt <= kMostNames; ++attempt) {
    const std::string name = attempt == 1 ? stem : stem + "_" + std::to_string(attempt);
    if (exists(name + ".counts")) continue;  // of a record somebody removed
    const std::string path = name + ".jsonl";
    const int fd = open_new_file(path, O_WRONLY | O_APPEND);
    if (fd >= 0) return std::unique_ptr<RecordWriter>(new RecordWriter(fd, path, name + ".counts"));
    if (errno == EEXIST) continue;
    error = "cannot make " + path + ": " + std::strerror(errno);
    return nullptr;
  }
  error = "no free name for a record file in " + dir;
  return nullptr;
}

bool RecordWriter::append(std::string line) {
  line += '\n';
  const SignalShield shield;
  const off_t before = lseek(fd_, 0, SEEK_END);
  const std::size_t written = write_all(fd_, line);
  if (written == line.size()) return true;
  error_ = "cannot write to " + path_ + ": " + std::strerror(errno);
  if (written > 0 && before >= 0 && ftruncate(fd_, before) != 0) error_ += " (a torn line is left at its end)";
  return false;
}

bool RecordWriter::unlinked() const {
  struct stat info {};
  return fstat(fd_, &info) == 0 && info.st_nlink == 0;
}

}  // namespace opcov
