// Reads a pickle into a graph (pickle_graph.h) without executing anything in it.
//
// Understood is what torch.save writes (protocol 2) and what it writes when asked for protocols 3 to 5. Opcodes that
// neither needs are refused. Memory is bounded by the pickle's size, which is limited, whatever the pickle says.
//
// Errors: FormatError.
#pragma once

#include <cstddef>
#include <string>

#include "snapshot/pickle_graph.h"

namespace opcov {

/// A snapshot's pickle has some hundred bytes an argument.
inline constexpr std::size_t kLargestPickle = 16 << 20;
inline constexpr std::size_t kMostPickleValues = 1'000'000;

PickleGraph read_pickle(std::string bytes);

}  // namespace opcov
