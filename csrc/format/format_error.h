// What a reader throws about the piece of input in hand. It knows neither file nor line: whoever reads the file adds
// them and makes a Finding of it.
#pragma once

#include <stdexcept>

namespace opcov {

class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace opcov
