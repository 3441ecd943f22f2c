#include "format/counts_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/new_file.h"
#include "base/signal_shield.h"

namespace opcov {
namespace {

// Multiples of 64 KiB, the largest page size in use, so that every extent can be mapped on its own.
constexpr std::size_t kFirstExtentBytes = 64 << 10;
constexpr std::size_t kMostExtentBytes = 4 << 20;

}  // namespace

CountsWriter::CountsWriter(std::string path, long pid) : path_(std::move(path)) {
  fd_ = open_new_file(path_, O_RDWR);
  if (fd_ < 0) {
    error_ = "cannot make " + path_ + ": " + std::strerror(errno);
    return;
  }
  if (!grow()) return;
  header_ = reinterpret_cast<CountsHeader*>(free_);
  header_->version = kCountsVersion;
  header_->block_bytes = kCountsBlockBytes;
  header_->pid = static_cast<std::uint64_t>(pid);
  // Last: a file that begins with zeros was not begun.
  std::memcpy(header_->magic, kCountsMagic, sizeof header_->magic);
  ++free_;
  --free_blocks_;
}

CountsWriter::~CountsWriter() {
  for (const Extent& extent : extents_) munmap(extent.address, extent.bytes);
  if (fd_ >= 0) close(fd_);
}

void CountsWriter::count(std::uint64_t* counter) {
  std::atomic_ref<std::uint64_t>(*counter).fetch_add(1, std::memory_order_relaxed);
}

bool CountsWriter::grow() {
  const SignalShield shield;
  const std::size_t bytes = std::clamp(file_bytes_, kFirstExtentBytes, kMostExtentBytes);
  int failed = EINTR;
  for (int attempt = 0; failed == EINTR && attempt < 100; ++attempt)  // a profiler's timer may interrupt it
    failed = posix_fallocate(fd_, static_cast<off_t>(file_bytes_), static_cast<off_t>(bytes));
  if (failed != 0) {
    error_ = "no room for " + path_ + ": " + std::strerror(failed);
    return false;
  }
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(file_bytes_));
  if (address == MAP_FAILED) {
    error_ = "cannot map " + path_ + ": " + std::strerror(errno);
    return false;
  }
  extents_.push_back({address, bytes});
  file_bytes_ += bytes;
  free_ = static_cast<CountsBlock*>(address);
  free_blocks_ = bytes / kCountsBlockBytes;
  return true;
}

CountsBlock* CountsWriter::add_block(std::uint64_t first_id) {
  CountsBlock* block = nullptr;
  if (durable() && (free_blocks_ > 0 || grow())) {
    block = free_++;
    --free_blocks_;
  } else {
    memory_blocks_.push_back(std::make_unique<CountsBlock>());
    block = memory_blocks_.back().get();
  }
  block->first_id = first_id;
  std::atomic_ref<std::uint32_t>(block->in_use).store(1, std::memory_order_release);
  blocks_.push_back(block);
  return block;
}

std::vector<std::uint64_t> CountsWriter::totals(std::size_t n) const {
  std::vector<std::uint64_t> sums(n, 0);
  for (CountsBlock* block : blocks_) {
    const std::uint64_t end = std::min<std::uint64_t>(block->first_id + kCountsPerBlock, n);
    for (std::uint64_t id = block->first_id; id < end; ++id)
      sums[id] += std::atomic_ref<std::uint64_t>(block->counts[id - block->first_id]).load(std::memory_order_relaxed);
  }
  return sums;
}

void CountsWriter::unlink() {
  if (fd_ >= 0) ::unlink(path_.c_str());
}

}  // namespace opcov
