// Writes a whole file or nothing: to a temporary file in the same folder, synced, then renamed.
//
// Errors: throws Error; kBadInput where the target is taken or unsuitable (both functions), kFailure where writing
// fails. Whatever fails, the target is as it was and the temporary file is gone.
#pragma once

#include <string>
#include <string_view>

namespace opcov {

/// To be asked before long work starts: may `path` be written? A file that is there needs `force`.
void check_writable(const std::string& path, bool force);

/// Would a file written to `path` take the place of `other`? Also where neither is there yet.
bool same_file(const std::string& path, const std::string& other);

void write_whole_file(const std::string& path, std::string_view text, bool force);

}  // namespace opcov
