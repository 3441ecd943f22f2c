// Text from files and command lines, made fit for a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace opcov {

/// With '?' for control characters and for bytes that are no UTF-8: what a file says must not steer the terminal or
/// break a line.
std::string printable(const std::string& text);

/// At most `most` bytes of it, with the length of the rest where there is more: a key may be megabytes long.
std::string shortened(const std::string& text, std::size_t most = 500);

}  // namespace opcov
