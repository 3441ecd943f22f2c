// CUDA graphs, for programs that capture and launch them by themselves. The Python package does this for
// torch.cuda.CUDAGraph.
//
// A capture executes nothing: calls captured into a graph count as captured alone. A program that says into which graph
// it captures, and when it launched it, has one call counted for each captured one at each launch; the others get a
// notice in their record. Threads: any. Errors: none; without a recording, nothing happens.
#pragma once

#include <cstdint>

#include "opcov/opcov.h"

/// Calls that this thread captures from now on, and those of threads that work for it, go into this graph. `graph`: a
/// number that the program has not used before.
extern "C" OPCOV_EXPORT void opcov_graph_begin(std::uint64_t graph) noexcept;
extern "C" OPCOV_EXPORT void opcov_graph_end(std::uint64_t graph) noexcept;

/// To be called once for each launch.
extern "C" OPCOV_EXPORT void opcov_graph_replayed(std::uint64_t graph) noexcept;

/// It will not be launched any more.
extern "C" OPCOV_EXPORT void opcov_graph_forget(std::uint64_t graph) noexcept;
