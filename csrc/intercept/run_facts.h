// What torch knows of the run a record belongs to: for the header, and for a faithful replay. Free of torch's headers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/launcher_env.h"

namespace opcov {

struct RunFacts {
  std::string torch;                                          // "2.11.0"
  std::vector<std::pair<std::string, bool>> flags;            // cudnn.benchmark, deterministic algorithms, ...
  std::vector<std::pair<std::string, std::string>> settings;  // float32 precisions
  std::vector<std::string> gpus;                              // empty before the program made a CUDA context
};

RunFacts run_facts() noexcept;

/// Of torch.distributed's default group, while it is initialised. The registry of groups is older than this library,
/// and so outlives what it does when the process ends.
std::optional<RankInfo> distributed_rank() noexcept;

/// This thread evaluates a node of autograd's backward graph.
bool in_backward();

/// Kernels of torch run on this thread inside a parallel region: what they dispatch is no call of the program.
bool in_parallel_region();

/// Does torch.compile, torch.export or make_fx trace on this thread? Its calls are no work.
bool is_tracing();

/// Is this thread's CUDA stream being captured into a graph? Only to be asked once a CUDA context exists. Source: the
/// CUDA runtime that torch has loaded; this one question is allowed during a capture.
bool is_capturing_graph() noexcept;

}  // namespace opcov
