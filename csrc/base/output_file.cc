#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/write_all.h"

namespace opcov {
namespace {

Error taken(const std::string& path) {
  return bad_input(path + ": exists; give another name, or --force to replace it");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

void check_writable(const std::string& path, bool force) {
  struct stat info {};
  if (stat(folder_of(path).c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw bad_input(path + ": there is no folder " + folder_of(path) + "; make it first");
  if (lstat(path.c_str(), &info) != 0) return;
  if (!S_ISREG(info.st_mode)) throw bad_input(path + ": is not a regular file; give another name");
  if (!force) throw taken(path);
}

bool same_file(const std::string& path, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (fs::equivalent(path, other, code)) return true;
  // Names of two files that are there were told apart by that; of others the last part is what it says.
  if (fs::path(path).filename() != fs::path(other).filename()) return false;
  // A relative name of which nothing is there would stay relative.
  const auto whole = [&code](const std::string& name) { return fs::weakly_canonical(fs::absolute(name, code), code); };
  return !path.empty() && !other.empty() && whole(path) == whole(other);
}

OutputFile::OutputFile(const std::string& path, bool force) : target_(path), name_(path + ".XXXXXX"), force_(force) {
  check_writable(path, force);
  fd_ = mkostemp(name_.data(), O_CLOEXEC);
  if (fd_ < 0) throw failed("cannot make a file in " + folder_of(path));
}

OutputFile::~OutputFile() {
  close(fd_);
  if (!renamed_) unlink(name_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (write_all(fd_, text) < text.size()) throw failed("cannot write");
}

void OutputFile::commit() {
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd_, 0666 & ~mask) != 0 || fsync(fd_) != 0) throw failed("cannot write");
  int done = renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target_.c_str(), force_ ? 0 : RENAME_NOREPLACE);
  if (done != 0 && errno == EEXIST) throw taken(target_);
  // A file system without RENAME_NOREPLACE: the check before the rename has to do.
  if (done != 0 && (errno == EINVAL || errno == ENOSYS)) {
    check_writable(target_, force_);
    done = rename(name_.c_str(), target_.c_str());
  }
  if (done != 0) throw failed("cannot rename the finished file to this name");
  renamed_ = true;
}

Error OutputFile::failed(const std::string& what) const {
  return failure(target_ + ": " + what + ": " + std::strerror(errno) + "; nothing was written");
}

void write_whole_file(const std::string& path, std::string_view text, bool force) {
  OutputFile file(path, force);
  file.write(text);
  file.commit();
}

}  // namespace opcov
