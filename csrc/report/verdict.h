// What `opcov verify` has to say of a record file, on a line and as JSON (docs/cli.md, opcov verify).
#pragma once

#include <string>

#include "base/error.h"
#include "format/canonical_json.h"
#include "format/record.h"

namespace opcov {

/// "r.jsonl: ok: 1 segment, rank 0, 1 signature, 7 calls, clean end".
std::string verdict_text(const RecordFile& file);

OrderedJson verdict_json(const RecordFile& file);

/// Of a file that could not be read at all.
OrderedJson unreadable_json(const std::string& path, const Error& error);

}  // namespace opcov
