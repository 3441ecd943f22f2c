#include "snapshot/random_access_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/sha256.h"
#include "format/format_error.h"

namespace opcov {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

}  // namespace

RandomAccessFile::RandomAccessFile(std::string path) : path_(std::move(path)), fd_(open_input(path_)) {
  const struct stat info = status();
  size_ = static_cast<std::uint64_t>(info.st_size);
  modified_ = info.st_mtim;
}

RandomAccessFile::~RandomAccessFile() { close(fd_); }

struct stat RandomAccessFile::status() const {
  struct stat info {};
  if (fstat(fd_, &info) != 0) throw cannot_read(path_);
  return info;
}

std::size_t RandomAccessFile::read_some(std::uint64_t offset, char* to, std::size_t bytes) const {
  ssize_t got = -1;
  do {
    got = pread(fd_, to, bytes, static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw cannot_read(path_);
  return static_cast<std::size_t>(got);
}

std::string RandomAccessFile::read(std::uint64_t offset, std::size_t bytes) const {
  if (offset > size_ || bytes > size_ - offset) throw FormatError("ends before what its own directory says is there");
  std::string text(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t got = read_some(offset + done, text.data() + done, bytes - done);
    if (got == 0) throw FormatError("was cut short while it was read");
    done += got;
  }
  return text;
}

std::string RandomAccessFile::sha256() const {
  Sha256 hash;
  std::string block(kBlockBytes, '\0');
  std::uint64_t done = 0;
  while (const std::size_t got = read_some(done, block.data(), block.size())) {
    hash.update({block.data(), got});
    done += got;
  }
  const struct stat info = status();
  if (done != size_ || info.st_mtim.tv_sec != modified_.tv_sec || info.st_mtim.tv_nsec != modified_.tv_nsec)
    throw bad_input(path_ + ": was written to while it was read; try again when it is complete");
  return hash.finish();
}

}  // namespace opcov
