// Reads a call key (call_key.h) word by word. Free of torch's headers. Errors: throws std::logic_error on a key that
// call_key.h does not make.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "intercept/call_key.h"

namespace opcov {

class CallKeyReader {
 public:
  CallKeyReader(const std::uint64_t* words, std::size_t size) : words_(words), size_(size) {}

  std::uint64_t word() {
    if (at_ == size_) throw std::logic_error("opcov: a call key ends early");
    return words_[at_++];
  }

  double real() { return std::bit_cast<double>(word()); }

  const char* name() { return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(word())); }

  std::string text(std::uint64_t bytes) {
    std::string out;
    while (out.size() < bytes) {
      const std::uint64_t w = word();
      out.append(reinterpret_cast<const char*>(&w), std::min<std::size_t>(8, bytes - out.size()));
    }
    return out;
  }

  std::vector<std::int64_t> numbers(std::size_t n) {
    std::vector<std::int64_t> all;
    for (; n > 0; --n) all.push_back(static_cast<std::int64_t>(word()));
    return all;
  }

 private:
  const std::uint64_t* words_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace opcov
