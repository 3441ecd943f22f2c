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

  std::string path_;
  std::string error_;
  int fd_ = -1;
  std::size_t file_bytes_ = 0;
  std::vector<Extent> extents_;
  CountsBlock* free_ = nullptr;  // the newest extent's next block
  std::size_t free_blocks_ = 0;
  std::vector<std::unique_ptr<CountsBlock>> memory_blocks_;
  std::vector<CountsBlock*> blocks_;
};

}  // namespace opcov
