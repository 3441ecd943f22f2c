// Where the program makes the call that this thread is in: OPCOV_WHERE=1 notes it at a signature's first call.
//
// Threads: any, none of the recorder's locks held: it may wait for the interpreter's lock, at most half a second and
// three times so in a process. Errors: nothing throws; what cannot be had is left out.
#pragma once

#include <string>

#include "intercept/call_key.h"

namespace opcov {

class Session;

/// The value of the signature's `where` line, as JSON text; empty where nothing is known, none is wanted, or the
/// recording has the signature already.
std::string where_of_new(Session& session, const KeyView& key) noexcept;

}  // namespace opcov
