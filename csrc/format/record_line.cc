#include "format/record_line.h"

#include "format/object_members.h"

namespace opcov {

std::uint64_t RecordLine::count(const char* key) const {
  const auto found = fields.find(key);
  if (found == fields.end()) throw FormatError("the " + kind + " line has no \"" + key + "\"");
  const auto value = as_count(*found);
  if (!value) throw FormatError("the " + kind + " line's \"" + key + "\" is no whole number from 0 to 2^63-1");
  return *value;
}

RecordLine parse_record_line(std::string_view line) {
  const ObjectMembers members(line);
  const std::string_view raw_kind = members.raw("record");
  if (raw_kind.empty()) throw FormatError("the line has no \"record\"");
  const Json kind = parse_strict(raw_kind);
  if (!kind.is_string()) throw FormatError("the line's \"record\" is no string");

  RecordLine parsed{kind.get<std::string>(), Json::object(), {}};
  for (const auto& [key, raw] : members.all()) {
    if (key == "signature" && parsed.kind == "signature")
      parsed.signature = raw;
    else
      parsed.fields[key] = parse_strict(raw);
  }
  return parsed;
}

}  // namespace opcov
