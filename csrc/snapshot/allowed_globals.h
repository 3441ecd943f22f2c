// Which names a snapshot's pickle may hold: torch's types and the functions by which torch rebuilds a tensor. The list
// follows torch.load(weights_only=True), less what no operator that is recorded takes.
//
// Errors: FormatError that names the first one that is not among them.
#pragma once

#include "snapshot/pickle_graph.h"

namespace opcov {

/// Looks at all of the graph, also at what its root does not reach. Refuses objects with a state too.
void check_globals(const PickleGraph& graph);

}  // namespace opcov
