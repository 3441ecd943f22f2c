// Parses one JSON text strictly: what two readers could understand differently is refused.
//
// Refused beside malformed JSON: duplicate keys, integers beyond 64 bits, NUL bytes, invalid UTF-8, nesting deeper than
// kDeepestJson. Errors: throws FormatError.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "format/format_error.h"

namespace opcov {

using Json = nlohmann::json;

/// Far deeper than any call's arguments, far from where recursion over a value could exhaust the stack.
inline constexpr std::size_t kDeepestJson = 200;

Json parse_strict(std::string_view text);

/// May the text stand in a JSON string?
bool is_utf8(const std::string& text);

/// A whole number from 0 to 2^63-1; nothing for any other value.
std::optional<std::uint64_t> as_count(const Json& value);

}  // namespace opcov
