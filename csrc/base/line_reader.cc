#include "base/line_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/regular_file.h"

namespace opcov {
namespace {

constexpr std::size_t kBlockBytes = 64 << 10;

}  // namespace

LineReader::LineReader(std::string path) : path_(std::move(path)), fd_(open_input(path_)) {
  buffer_.resize(kBlockBytes);
}

LineReader::~LineReader() { close(fd_); }

bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    dropped_ += begin_;
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == kLongestLine)
    throw bad_input(path_ + ":" + std::to_string(line_number_ + 1) + ": is longer than " +
                    std::to_string(kLongestLine >> 20) +
                    " MiB, which no line of opcov's files is; check what file this is");
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), kLongestLine));
  ssize_t got = -1;
  do {
    got = read(fd_, buffer_.data() + end_, buffer_.size() - end_);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw cannot_read(path_);
  hash_.update({buffer_.data() + end_, static_cast<std::size_t>(got)});
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  for (;;) {
    const void* newline = std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_);
    if (newline != nullptr) {
      const std::size_t at = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
      line = {buffer_.data() + begin_, at - begin_};
      begin_ = scanned_ = at + 1;
      terminated_ = true;
      break;
    }
    scanned_ = end_;
    if (fill()) continue;
    if (begin_ == end_) return false;
    line = {buffer_.data() + begin_, end_ - begin_};
    begin_ = scanned_ = end_;
    terminated_ = false;
    break;
  }
  ++line_number_;
  return true;
}

std::string LineReader::sha256() {
  do {
    begin_ = scanned_ = end_;
  } while (fill());
  return hash_.finish();
}

FileIdentity file_identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) throw cannot_read(path);
  return {info.st_dev, info.st_ino};
}

}  // namespace opcov
