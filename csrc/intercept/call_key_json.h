// The recorded signature of a call key, device included, as the text of a JSON object. Free of torch's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace opcov {

/// Keys in the order of the record format: args, kwargs, op, output, stage. Bytes of a string argument that are no
/// UTF-8 are for the caller's dump() to replace.
nlohmann::ordered_json signature_json(const std::uint64_t* words, std::size_t size, const std::string& op,
                                      const std::string& stage);

}  // namespace opcov
