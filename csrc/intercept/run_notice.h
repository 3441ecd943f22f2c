// A notice of a record: what the recorder could not see, or had to leave out.
#pragma once

#include <cstdint>
#include <string>

namespace opcov {

struct RunNotice {
  std::string kind;
  std::uint64_t count;
  std::string text;
};

}  // namespace opcov
