// The Python frames of a thread, and the modules whose __call__ is under way in them.
//
// Threads: with the GIL, of the calling thread or of one that waits meanwhile. Nothing of the program's runs, and no
// object lives longer for it: of locals only those of Module._wrapped_call_impl are looked at, which keeps them until
// it returns.
#pragma once

#include "format/call_place.h"
#include "intercept/where/python_api.h"

namespace opcov::python {

CallPlace place_of(const Api& api, Thread* thread);

}  // namespace opcov::python
