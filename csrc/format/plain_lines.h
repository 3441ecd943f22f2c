// Record lines written exactly as recorders write them: no spaces, members in the recorder's order.
//
// A large job has a million such lines, nearly all with texts that were seen before. What is recognised here means what
// a JSON parser would make of it, at a tenth of the cost; whatever is written in any other way is left to the parser,
// which also says what is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace opcov {

struct PlainSignatureLine {
  std::uint64_t id;
  std::string_view signature;  // raw and unchecked: the line is sound if this is
  bool returns_input;
};

std::optional<PlainSignatureLine> plain_signature_line(std::string_view line);

/// By id, ascending.
using PlainCounts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The counts of a calls line, into `counts`; false where it is no such line, or its ids do not ascend.
bool plain_calls_line(std::string_view line, PlainCounts& counts);

}  // namespace opcov
