// opcov's recorder, as a C++ program sees it.
//
// A program that links opcov::opcov needs none of this: OPCOV=1 in its environment records it from its first call to
// its last. These functions are for programs that want to decide for themselves.
//
// Threads: every function may be called from any thread, at any time. Errors: start() throws std::invalid_argument on
// a setting it does not know, and std::runtime_error in a process that cannot be recorded (a second libopcov is loaded,
// or the process was forked in the middle of a start); nothing else throws, and a recorder that fails later (disk full,
// folder gone) turns itself off with one line on stderr. Ownership: the library keeps all state, and is never unloaded.
#pragma once

#include <string>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define OPCOV_EXPORT __attribute__((visibility("default")))
#else
#define OPCOV_EXPORT
#endif

namespace opcov {

/// Pairs of a setting's name, which is that of its environment variable, and its value: {{"OPCOV_DIR", "records"}}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Starts a recording: the environment's settings, replaced one by one by those given here. Ends a recording already
/// under way. Hooks are placed once per process and stay; without a recording they only pass calls on.
OPCOV_EXPORT void start(const Settings& settings = {});

/// Ends the recording and its record file. A later start() opens a new file.
OPCOV_EXPORT void stop() noexcept;

/// Calls that begin while paused are not recorded.
OPCOV_EXPORT void pause() noexcept;
OPCOV_EXPORT void resume() noexcept;

/// Writes the counts so far, and the rank if it was learned meanwhile, into the record file.
OPCOV_EXPORT void flush() noexcept;

/// Forgets what this recording has seen, as if it started now: its record file is removed, and a new one is made at
/// the next recorded call. For leaving a warm-up out.
OPCOV_EXPORT void reset() noexcept;

/// True between start() and stop(), also while paused.
OPCOV_EXPORT bool recording() noexcept;

/// Path of the record file, "" before the first recorded call.
OPCOV_EXPORT std::string record_file();

/// Overrules what torch.distributed and the launcher's environment say, for this and later recordings of the process.
/// world_size 0: unknown. A rank that cannot be (negative, or not below world_size) is refused with a line on stderr.
OPCOV_EXPORT void set_rank(int rank, int world_size) noexcept;

}  // namespace opcov
