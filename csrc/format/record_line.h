// One line of a record file, taken apart and checked as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/strict_json.h"

namespace opcov {

struct RecordLine {
  std::string kind;            // the value of "record"
  Json fields;                 // every member, but the signature of a signature line
  std::string_view signature;  // that one's raw text, still to be interned

  /// The member `key` of `fields` as a count; throws FormatError where it is missing or no whole number below 2^63.
  std::uint64_t count(const char* key) const;
};

/// The view in the result points into `line`. Throws FormatError.
RecordLine parse_record_line(std::string_view line);

}  // namespace opcov
