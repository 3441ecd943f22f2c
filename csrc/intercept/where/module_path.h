// The name of a torch.nn.Module, as named_modules() of the outermost module around the call has it.
//
// Found by looking through the modules' own dictionaries; no code of the modules runs. Threads: with the GIL.
#pragma once

#include <vector>

#include "format/call_place.h"
#include "intercept/where/python_api.h"

namespace opcov::python {

/// `modules`: those whose __call__ is under way, the outermost first. Fills in the place's module. A module that none
/// of those around it holds is an outermost one itself. Of several names it is the one with the fewest dots, then the
/// first.
void name_module(const Api& api, const std::vector<Ref>& modules, CallPlace& place);

}  // namespace opcov::python
