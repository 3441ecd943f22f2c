#include "snapshot/allowed_globals.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "format/format_error.h"
#include "snapshot/torch_types.h"

namespace opcov {
namespace {

constexpr std::array<std::string_view, 20> kAllowed = {
    "_codecs.encode",  // makes bytes
    "builtins.bytearray",
    "builtins.complex",
    "builtins.set",
    "collections.OrderedDict",
    "torch.Size",
    "torch.Tensor",
    "torch._tensor._rebuild_from_type_v2",
    "torch._utils._rebuild_meta_tensor_no_storage",
    "torch._utils._rebuild_nested_tensor",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._utils._rebuild_qtensor",
    "torch._utils._rebuild_sparse_tensor",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch.device",
    "torch.nn.parameter.Parameter",
    "torch.serialization._get_layout",
};

// What people may well have saved, and what to do about it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kReasons = {{
    {"torch._utils._rebuild_wrapper_subclass", "a tensor subclass is recorded as the plain tensors in it; save those"},
    {"torch.nested._internal.", "a jagged nested tensor is recorded as the plain tensors in it; save those"},
    {"torch._utils._rebuild_device_tensor_from_", "a tensor of a backend that is neither CPU nor CUDA; move it first"},
    {"numpy.", "a value of NumPy's; save it as a tensor or a Python number"},
    {"torch._C.Generator", "a generator's state is no part of a snapshot; leave it out"},
}};

constexpr std::size_t kLongestName = 120;

bool is_allowed(std::string_view name) {
  return std::find(kAllowed.begin(), kAllowed.end(), name) != kAllowed.end() || torch_dtype(name) ||
         dtype_of_storage(name) || is_qscheme(name);
}

void check_name(const std::string& name) {
  if (is_allowed(name)) return;
  for (const auto& [prefix, reason] : kReasons)
    if (name.starts_with(prefix))
      throw FormatError("holds " + shortened(name, kLongestName) + ": " + std::string(reason));
  throw FormatError("its pickle names " + shortened(name, kLongestName) +
                    ", which is none of torch's own types; nothing of it was executed. Save tensors, numbers, "
                    "strings, lists and dicts alone");
}

}  // namespace

void check_globals(const PickleGraph& graph) {
  for (PickleId id = 0; id < graph.size(); ++id) {
    if (graph.is(id, PickleKind::kGlobal)) check_name(graph.global(id));
    // A tensor's state would replace what the call says of it.
    if (graph.is(id, PickleKind::kCall) && graph.items(id).size() > 2)
      throw FormatError("its pickle sets the state of what " + graph.global(graph.items(id)[0]) +
                        " made, which torch.save does for no operator's input");
  }
}

}  // namespace opcov
