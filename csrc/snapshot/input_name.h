// How files that belong to one signature are named: its snapshot, its profile.
#pragma once

#include <cstdint>
#include <string>

namespace opcov {

/// `{stage}_rank{R}_{first 16 hex of the digest}`, without a suffix; of the stage what no file system minds.
std::string input_name(const std::string& stage, std::uint64_t rank, const std::string& digest);

}  // namespace opcov
