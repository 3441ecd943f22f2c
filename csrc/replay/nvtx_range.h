// A range on the timeline of NVIDIA's profilers, by which they select a call: `ncu --nvtx-include`, Nsight Systems.
#pragma once

#include <string>

#ifdef OPCOV_WITH_CUDA
#include <nvtx3/nvToolsExt.h>
#endif

namespace opcov {

/// Holds for the thread that made it, and must end there. Costs a test of a pointer where no profiler looks on; where
/// opcov is built without CUDA it does nothing.
class NvtxRange {
 public:
#ifdef OPCOV_WITH_CUDA
  explicit NvtxRange(const std::string& name) { nvtxRangePushA(name.c_str()); }
  ~NvtxRange() { nvtxRangePop(); }
#else
  explicit NvtxRange(const std::string&) {}
  ~NvtxRange() = default;
#endif
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace opcov
