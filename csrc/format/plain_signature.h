// Signatures written exactly as recorders write them, made canonical without a JSON parser.
//
// Nearly every signature is plain: no spaces, keys in order, integers, ASCII without escapes. Its canonical text is
// then its own text without the devices of tensors, and making that takes a twentieth of the time of parsing it and
// writing it anew. Whatever is written in any other way is left to the parser, which also says what is wrong with it.
#pragma once

#include <optional>
#include <string_view>

#include "format/signature.h"

namespace opcov {

/// What make_signature(parse_strict(raw)) gives, or nothing.
std::optional<Signature> plain_signature(std::string_view raw);

}  // namespace opcov
