// JSON text byte for byte as Python's json module writes it, so that digests and reports can be checked from Python.
//
// json.dumps(value, sort_keys=True, separators=(",", ":")); of an OrderedJson, with its keys in the order they have.
// ASCII only. Values come from parse_strict() or from our own code: strings are valid UTF-8, numbers finite.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "format/strict_json.h"

namespace opcov {

using OrderedJson = nlohmann::ordered_json;

std::string canonical_json(const Json& value);
std::string canonical_json(const OrderedJson& value);

/// Appends `text` as a JSON string.
void append_json_string(std::string& out, std::string_view text);

/// Python's repr(float): the shortest digits that read back as the same number.
std::string python_float(double value);

}  // namespace opcov
