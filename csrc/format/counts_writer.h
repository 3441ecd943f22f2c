// The writing side of the counts sidecar (see counts_layout.h): hands out memory-mapped blocks of counters.
//
// Threads: add_block() wants the caller's lock; a block's counters belong to the thread it was given to, and are read
// by others while they grow. The mapping lives as long as this object. Errors: where the disk is full or cannot be
// mapped, blocks come from plain memory instead, durable() turns false and error() says why: counting goes on, only
// a kill -9 would lose it. Space is allocated before it is mapped, so that no count can raise SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "format/counts_layout.h"

namespace opcov {

class CountsWriter {
 public:
  /// Creates the file; a name that is taken or a full disk gives an object that is not durable().
  CountsWriter(std::string path, long pid);
  ~CountsWriter();
  CountsWriter(const CountsWriter&) = delete;
  CountsWriter& operator=(const CountsWriter&) = delete;

  CountsBlock* add_block(std::uint64_t first_id);

  /// Calls without a counter of their own; under the caller's lock, as add_block().
  void count_overflow() { count(&header_->overflow); }
  void count_undescribed() { count(&header_->undescribed); }
  std::uint64_t overflow() const { return header_->overflow; }
  std::uint64_t undescribed() const { return header_->undescribed; }

  /// The sum over all blocks, by id; n ids.
  std::vector<std::uint64_t> totals(std::size_t n) const;

  /// Removes the file, once the record itself holds the counts.
  void unlink();

  bool durable() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  struct Extent {
    void* address;
    std::size_t bytes;
  };
  bool grow();
  static void count(std::uint64_t* counter);

  std::string path_;
  std::string error_;
  int fd_ = -1;
  std::size_t file_bytes_ = 0;
  std::vector<Extent> extents_;
  CountsBlock* free_ = nullptr;  // the newest extent's next block
  std::size_t free_blocks_ = 0;
  CountsHeader memory_header_{};
  CountsHeader* header_ = &memory_header_;  // in the file, once there is one
  std::vector<std::unique_ptr<CountsBlock>> memory_blocks_;
  std::vector<CountsBlock*> blocks_;
};

}  // namespace opcov
