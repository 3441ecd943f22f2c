// Checks of numbers on a command line, for CLI11's check(): what they return is the reason to refuse the text, or
// empty. CLI11 itself takes -1 for the largest number there is, wraps what is larger, and finds nan in every range.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>

namespace opcov {

using NumberCheck = std::function<std::string(const std::string&)>;

/// `least` <= number <= `most`, in digits alone.
inline NumberCheck whole_number(std::uint64_t least = 0,
                                std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  return [least, most](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (read == end && error == std::errc() && number >= least && number <= most) return {};
    return "takes a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", not " + text;
  };
}

/// `least` <= seconds <= `most`.
inline NumberCheck seconds_between(double least, double most) {
  return [least, most](const std::string& text) -> std::string {
    double seconds = std::nan("");
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, seconds);
    if (read == end && error == std::errc() && seconds >= least && seconds <= most) return {};
    std::ostringstream refusal;
    refusal << "takes seconds from " << least << " to " << most << ", not " << text;
    return refusal.str();
  };
}

}  // namespace opcov
