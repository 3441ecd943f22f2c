// What a counts sidecar says, as lines of the record that it stood beside: for a record that leaves its sidecar.
#pragma once

#include <string>

#include "format/record.h"

namespace opcov {

/// The counts, the overflow notice and an end line that tells the end was none, of a segment that was read with its
/// sidecar.
std::string sidecar_as_lines(const Segment& segment);

}  // namespace opcov
