// The C++ frames of this thread: "libmodel.so+0x1a2b Model::forward(at::Tensor const&)". The number is what addr2line
// and debuggers take; the function stands there where the library exports it.
//
// Source: backtrace(3), dl_iterate_phdr(3) and dladdr(3). Threads: any. Errors: throws where there is no memory.
#pragma once

#include "format/call_place.h"

namespace opcov {

/// Without frames where only libraries of torch, Python, C++ and C are on the stack.
[[gnu::noinline]] CallPlace native_place();

}  // namespace opcov
