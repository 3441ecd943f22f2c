// Names of GPUs, for the header of a record file. Source: the CUDA runtime.
#pragma once

#include <string>
#include <vector>

namespace opcov {

/// The names of these devices, in the given order; a device that cannot be asked is left out. Touches no stream and
/// leaves no CUDA error behind for the host program. Threads: any.
std::vector<std::string> device_names(const std::vector<int>& devices);

}  // namespace opcov
