// JSON text byte for byte as Python's json module writes it, so that digests and reports can be checked from Python.
//
// canonical_json: json.dumps(value, sort_keys=True, separators=(",", ":")).
// indented_json:  json.dumps(value, indent=2), keys in the order they have.
// Both write ASCII only. Values come from parse_strict() or from our own code: strings are valid UTF-8, numbers finite.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "format/strict_json.h"

namespace opcov {

using OrderedJson = nlohmann::ordered_json;

std::string canonical_json(const Json& value);
std::string indented_json(const OrderedJson& value);

/// Python's repr(float): the shortest digits that read back as the same number.
std::string python_float(double value);

}  // namespace opcov
