// Ranges on the timeline of NVIDIA's profilers, by which they select a call: `ncu --nvtx-include`, Nsight Systems.
//
// A range belongs to the thread that opened it, and must be closed there. It costs a test of a pointer where no
// profiler looks on; where opcov is built without CUDA it does nothing. Threads: any. Errors: nothing throws.
#pragma once

#include <string>

namespace opcov {

/// Is there anything behind the functions here?
bool has_nvtx() noexcept;

void open_nvtx_range(const char* name) noexcept;
void close_nvtx_range() noexcept;

class NvtxRange {
 public:
  explicit NvtxRange(const std::string& name) { open_nvtx_range(name.c_str()); }
  ~NvtxRange() { close_nvtx_range(); }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace opcov
