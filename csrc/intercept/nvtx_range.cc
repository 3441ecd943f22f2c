#include "intercept/nvtx_range.h"

#ifdef OPCOV_WITH_CUDA
#include <nvtx3/nvToolsExt.h>
#endif

namespace opcov {

#ifdef OPCOV_WITH_CUDA
bool has_nvtx() noexcept { return true; }
void open_nvtx_range(const char* name) noexcept { nvtxRangePushA(name); }
void close_nvtx_range() noexcept { nvtxRangePop(); }
#else
bool has_nvtx() noexcept { return false; }
void open_nvtx_range(const char*) noexcept {}
void close_nvtx_range() noexcept {}
#endif

}  // namespace opcov
