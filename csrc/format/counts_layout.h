// The counts sidecar `metadata_rank{R}_pid{P}.counts`: live counts of one record file, in memory-mapped blocks.
//
// The recorder adds to these counters in place, so that what was counted outlives a kill -9: the pages belong to the
// kernel. Each block belongs to one thread at a time, which alone writes it, so a count costs no lock and no atomic
// read-modify-write. A signature's count is the sum over all blocks that hold its id.
//
//   offset 0         CountsHeader, padded to kCountsBlockBytes
//   offset 4096 * k  CountsBlock, k = 1, 2, ... up to the end of the file
//
// All integers are little-endian. The file is preallocated, so its tail holds blocks that are still all zero: a block
// with in_use == 0 is to be skipped. A file shorter than its last block (torn while it grew) is read up to there.
#pragma once

#include <cstdint>

namespace opcov {

inline constexpr char kCountsMagic[8] = {'O', 'P', 'C', 'O', 'V', 'C', 'N', 'T'};
inline constexpr std::uint32_t kCountsVersion = 1;
inline constexpr std::uint32_t kCountsBlockBytes = 4096;
inline constexpr std::uint32_t kCountsPerBlock = 510;

struct CountsHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t block_bytes;
  std::uint64_t pid;
  std::uint64_t overflow;     // calls of signatures past OPCOV_MAX_SIGNATURES
  std::uint64_t undescribed;  // calls that could not be described
};

struct CountsBlock {
  std::uint32_t in_use;  // 1 once a thread owns or owned the block
  std::uint32_t reserved;
  std::uint64_t first_id;  // counts[i] belongs to signature id first_id + i
  std::uint64_t counts[kCountsPerBlock];
};

static_assert(sizeof(CountsBlock) == kCountsBlockBytes);

}  // namespace opcov
