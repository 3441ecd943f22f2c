// The names under which Python prints torch's enumerations. Each name is one string for the life of the process.
// Free of torch's headers, so that what only needs names does not pay for them.
#pragma once

#include <cstdint>

namespace opcov {

const char* dtype_name(std::uint8_t scalar_type);     // "torch.bfloat16"
const char* layout_name(std::uint8_t layout);         // "torch.sparse_csr"
const char* memory_format_name(std::uint8_t format);  // "torch.channels_last"
const char* qscheme_name(std::uint8_t scheme);        // "torch.per_tensor_affine"
const char* device_type_name(std::uint8_t type);      // "cuda"

}  // namespace opcov
