// What torch is set to while a call is replayed: as the process was that recorded it.
#pragma once

#include "format/strict_json.h"

namespace opcov {

/// `header`: of the record that holds the call, or null; what it does not state is as torch has it at its start.
/// Float32 precisions (TF32), cudnn.benchmark and the deterministic flags. Threads: only while no operator runs.
void apply_settings(const Json& header);

}  // namespace opcov
