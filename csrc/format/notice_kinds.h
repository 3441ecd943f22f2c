// Notices that the recorder writes and the reader knows by name: what both sides must spell the same way.
#pragma once

namespace opcov {

inline constexpr const char* kOverflowKind = "overflow";
inline constexpr const char* kOverflowText =
    "calls of signatures past the recorder's limit (OPCOV_MAX_SIGNATURES); they are in no row";

}  // namespace opcov
