// Where text goes piece by piece, when it is too long to be held as a whole.
#pragma once

#include <functional>
#include <string_view>

namespace opcov {

/// Throws Error where the text cannot be written.
using Sink = std::function<void(std::string_view text)>;

}  // namespace opcov
