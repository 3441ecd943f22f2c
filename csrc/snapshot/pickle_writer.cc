#include "snapshot/pickle_writer.h"

#include <bit>
#include <limits>

namespace opcov {

void PickleWriter::little_endian(std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i));
}

void PickleWriter::integer(std::int64_t value) {
  using Int = std::numeric_limits<std::int32_t>;
  const bool fits = value >= Int::min() && value <= Int::max();
  bytes_ += fits ? "J" : "\x8a\x08";
  little_endian(static_cast<std::uint64_t>(value), fits ? 4 : 8);
}

void PickleWriter::real(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  bytes_ += 'G';
  for (int shift = 56; shift >= 0; shift -= 8) bytes_ += static_cast<char>(bits >> shift);  // the one big-endian value
}

void PickleWriter::complex(double re, double im) {
  global("builtins", "complex");
  begin_tuple();
  real(re);
  real(im);
  end_tuple();
  call();
}

void PickleWriter::text(std::string_view utf8) {
  bytes_ += 'X';
  little_endian(utf8.size(), 4);
  bytes_ += utf8;
}

void PickleWriter::global(std::string_view module, std::string_view name) {
  bytes_ += 'c';
  bytes_ += module;
  bytes_ += '\n';
  bytes_ += name;
  bytes_ += '\n';
}

void PickleWriter::integers(const std::vector<std::int64_t>& values) {
  begin_tuple();
  for (const std::int64_t value : values) integer(value);
  end_tuple();
}

}  // namespace opcov
