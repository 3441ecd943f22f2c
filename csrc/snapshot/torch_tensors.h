// Tensors in a snapshot's pickle, as a signature describes them: from the arguments of the function by which torch
// would rebuild them. No tensor is made, and nothing of the values is read.
//
// Refused is what torch could not rebuild: a tensor that does not fit into its storage, a storage whose bytes the file
// does not have. torch.load itself checks the second one not at all.
//
// Where a caller asks for places, a tensor's JSON also says where its values are: "device" as records have it, and
// "place", an object of "storage" (the key in the file), "offset", "conjugate" and "negative". A tensor without values
// in the file has neither.
//
// Errors: FormatError.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/strict_json.h"
#include "snapshot/description_budget.h"
#include "snapshot/pickle_graph.h"
#include "snapshot/torch_types.h"

namespace opcov {

class TorchTensors {
 public:
  using Items = std::vector<PickleId>;

  /// Bytes of the storage with this key in the file; nothing where it has none.
  using StorageBytes = std::function<std::optional<std::uint64_t>(std::string_view key)>;

  TorchTensors(const PickleGraph& graph, StorageBytes storage_bytes, DescriptionBudget& budget, bool with_places)
      : graph_(graph), storage_bytes_(std::move(storage_bytes)), budget_(budget), with_places_(with_places) {}

  /// Does this function of torch's make a tensor?
  static bool makes_tensor(std::string_view function);
  bool is_tensor(PickleId id) const;

  Json describe(const std::string& function, const Items& arguments, int depth = 0);

  /// Checks a storage, and gives the dtype and the bytes it has.
  std::pair<TorchDtype, std::uint64_t> storage(PickleId id) const;

  /// A tuple or list of whole numbers, or torch.Size made of one.
  std::vector<std::int64_t> sizes(PickleId id);

  /// torch.serialization._get_layout's argument.
  std::string layout(PickleId name) const;

 private:
  Json describe(PickleId tensor, int depth);
  Json in_storage(const Items& arguments, std::optional<TorchDtype> dtype, std::size_t metadata_at);
  void add_place(Json& tensor, const Items& arguments, std::size_t metadata_at) const;
  Json sparse(const Items& arguments, int depth);
  Json nested(const Items& arguments, int depth);
  Json on_meta(const Items& arguments);
  Json of_type(const Items& arguments, int depth);
  TorchDtype dtype(PickleId id) const;
  std::int64_t whole(PickleId id) const;

  const PickleGraph& graph_;
  StorageBytes storage_bytes_;
  DescriptionBudget& budget_;
  const bool with_places_;
};

}  // namespace opcov
