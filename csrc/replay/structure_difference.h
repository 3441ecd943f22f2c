// What differs between a call as it was recorded and as it was replayed.
#pragma once

#include <string>

#include "format/strict_json.h"

namespace opcov {

/// Do numbers and strings that an operator gives have to be equal, or only of one kind? Where inputs are made up, what
/// is computed from them is another.
enum class OutputNumbers { kEqual, kOfOneKind };

/// In words, "output 0 shape: [2,3] recorded, [2,4] replayed"; empty where nothing differs. Signatures without devices;
/// keys that the recorded one leaves out are not compared.
std::string structure_difference(const Json& recorded, const Json& replayed, OutputNumbers numbers);

}  // namespace opcov
