// Reads one record file of format version 1, and the counts sidecar beside it where the file has no end line.
//
// Findings go into the result. Errors: throws Error (kBadInput) only where the file itself cannot be read.
#pragma once

#include <string>

#include "format/record.h"

namespace opcov {

RecordFile read_record_file(const std::string& path, SignaturePool& pool);

}  // namespace opcov
