// torch's names in a snapshot's pickle: which dtypes, storages and other constants there are. They have to be known
// without torch, because whatever is not known is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opcov {

struct TorchDtype {
  std::string_view name;                                  // "float32", without the module
  std::uint64_t bits;                                     // of an element in memory
  std::uint64_t bytes() const { return (bits + 7) / 8; }  // as a storage counts its elements
};

/// By name: "torch.float32".
std::optional<TorchDtype> torch_dtype(std::string_view name);

/// Of the elements that a storage class counts: "torch.FloatStorage". Those of an untyped storage are bytes.
std::optional<TorchDtype> dtype_of_storage(std::string_view name);

bool is_qscheme(std::string_view name);
bool is_layout(std::string_view name);
bool is_memory_format(std::string_view name);

}  // namespace opcov
