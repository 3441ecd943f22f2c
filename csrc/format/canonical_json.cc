#include "format/canonical_json.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace opcov {
namespace {

void append_escaped(std::string& out, std::uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789abcdef"[(unit >> shift) & 15];
}

// The code point that begins at text[i] of valid UTF-8; i moves behind it.
std::uint32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&] { return static_cast<unsigned char>(text[i++]); };
  const std::uint32_t first = byte();
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  std::uint32_t point = first & (0x3Fu >> more);
  for (int k = 0; k < more && i < text.size(); ++k) point = (point << 6) | (byte() & 0x3Fu);
  return point;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      std::uint32_t point = next_code_point(text, i);
      if (point >= 0x10000) {
        point -= 0x10000;
        append_escaped(out, 0xD800 + (point >> 10));
        point = 0xDC00 + (point & 0x3FF);
      }
      append_escaped(out, point);
      continue;
    }
    ++i;
    constexpr std::string_view kShort = "\"\\\n\r\t\f\b";
    constexpr std::string_view kLetters = "\"\\nrtfb";
    if (const auto at = kShort.find(static_cast<char>(c)); at != std::string_view::npos) {
      out += '\\';
      out += kLetters[at];
    } else if (c < 0x20 || c == 0x7F) {
      append_escaped(out, c);
    } else {
      out += static_cast<char>(c);
    }
  }
  out += '"';
}

namespace {

template <typename AnyJson>
void append_scalar(std::string& out, const AnyJson& value) {
  switch (value.type()) {
    case AnyJson::value_t::boolean: out += value.template get<bool>() ? "true" : "false"; break;
    case AnyJson::value_t::number_integer: out += std::to_string(value.template get<std::int64_t>()); break;
    case AnyJson::value_t::number_unsigned: out += std::to_string(value.template get<std::uint64_t>()); break;
    case AnyJson::value_t::number_float: out += python_float(value.template get<double>()); break;
    case AnyJson::value_t::string: append_json_string(out, value.template get_ref<const std::string&>()); break;
    default: out += "null";
  }
}

// Keys come out in the order the container has: sorted by code point in
// Json, whose map compares UTF-8 bytes; as inserted in OrderedJson.
template <typename AnyJson>
void append_value(std::string& out, const AnyJson& value) {
  if (!value.is_structured()) return append_scalar(out, value);
  const bool object = value.is_object();
  out += object ? '{' : '[';
  bool first = true;
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (!first) out += ',';
    first = false;
    if (object) {
      append_json_string(out, item.key());
      out += ':';
    }
    append_value(out, *item);
  }
  out += object ? '}' : ']';
}

}  // namespace

std::string python_float(double value) {
  std::array<char, 32> buffer{};  // zeros end what atoi reads
  const auto result = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data()));
  const bool negative = text.front() == '-';
  const std::size_t e = text.find('e');
  std::string digits(text.substr(negative, e - negative));
  if (digits.size() > 1) digits.erase(1, 1);  // the point
  const int exponent = std::atoi(text.data() + e + 1);

  std::string out = negative ? "-" : "";
  const int length = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (length > 1) out += '.' + digits.substr(1);
    const std::string size = std::to_string(std::abs(exponent));
    out += exponent < 0 ? "e-" : "e+";
    if (size.size() < 2) out += '0';
    return out + size;
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (exponent + 1 >= length) digits.append(static_cast<std::size_t>(exponent + 1 - length), '0').append("0");
  digits.insert(static_cast<std::size_t>(exponent) + 1, ".");
  return out + digits;
}

std::string canonical_json(const Json& value) {
  std::string out;
  append_value(out, value);
  return out;
}

std::string canonical_json(const OrderedJson& value) {
  std::string out;
  append_value(out, value);
  return out;
}

}  // namespace opcov
