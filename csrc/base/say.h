// What the recorder tells the user of the host program.
#pragma once

#include <string>

namespace opcov {

/// One line on stderr, in one write. Dropped where stderr is closed, broken or full: the host is not to wait for it.
void say(const std::string& line) noexcept;

}  // namespace opcov
