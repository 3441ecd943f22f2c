#include "format/plain_lines.h"

#include <charconv>
#include <system_error>

namespace opcov {
namespace {

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

bool drop_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// Below 10^18, so below 2^63, and written as JSON writes it.
bool take_number(std::string_view& text, std::uint64_t& number) {
  constexpr std::size_t kMostDigits = 18;
  const std::string_view digits = text.substr(0, kMostDigits);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{}) return false;
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (text.front() == '0' && length > 1) return false;
  text.remove_prefix(length);
  return true;
}

}  // namespace

std::optional<PlainSignatureLine> plain_signature_line(std::string_view line) {
  PlainSignatureLine plain{};
  if (!take(line, "{\"record\":\"signature\",\"id\":") || !take_number(line, plain.id) ||
      !take(line, ",\"signature\":"))
    return std::nullopt;
  plain.returns_input = drop_end(line, ",\"returns_input\":true}");
  if (!plain.returns_input && !drop_end(line, "}")) return std::nullopt;
  plain.signature = line;
  return plain;
}

bool plain_calls_line(std::string_view line, PlainCounts& counts) {
  counts.clear();
  if (!take(line, "{\"record\":\"calls\",\"calls\":{") || !drop_end(line, "}}")) return false;
  while (!line.empty()) {
    std::uint64_t id = 0;
    std::uint64_t count = 0;
    if (!counts.empty() && !take(line, ",")) return false;
    if (!take(line, "\"") || !take_number(line, id) || !take(line, "\":") || !take_number(line, count)) return false;
    if (!counts.empty() && id <= counts.back().first) return false;  // in order, no id is there twice
    counts.emplace_back(id, count);
  }
  return true;
}

}  // namespace opcov
