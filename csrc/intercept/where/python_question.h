// Asks where in Python's code this thread is, without ever waiting for long.
//
// The thread has given up the GIL by the time an operator runs. To take it again here could stop the program for good:
// the host may hold a lock of its own, for which another thread waits that has the GIL. So a thread of ours takes the
// GIL and looks at the frames, and this one waits for it, for a bounded time. A thread that has the GIL looks itself.
//
// Threads: any, none of the recorder's locks held. Errors: throws where there is no memory or no thread to be had.
#pragma once

#include <cstdint>

#include "format/call_place.h"

namespace opcov::python {

/// An unknown place where the thread runs no Python code, or where the answer did not come in time.
CallPlace present_place();

/// How often the answer did not come in time. After a few times nobody asks any more.
std::uint64_t unanswered() noexcept;
inline constexpr std::uint64_t kMostUnanswered = 3;

}  // namespace opcov::python
