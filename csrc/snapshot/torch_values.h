// What a snapshot's pickle holds, as the JSON of a signature: the structure that the recorder would describe for the
// same value (docs/record-format.md, "Signatures"), without devices.
//
// Errors: FormatError.
#pragma once

#include "format/strict_json.h"
#include "snapshot/description_budget.h"
#include "snapshot/pickle_graph.h"
#include "snapshot/torch_tensors.h"

namespace opcov {

class TorchValues {
 public:
  /// `with_places`: as torch_tensors.h has it.
  TorchValues(const PickleGraph& graph, TorchTensors::StorageBytes storage_bytes, bool with_places = false)
      : graph_(graph), tensors_(graph, std::move(storage_bytes), budget_, with_places) {}

  /// A value as an argument.
  Json argument(PickleId id) { return value(id, 0); }

  /// A value that is a signature's JSON already, as a snapshot states its output: dicts are objects. Tensors are
  /// described all the same.
  Json stated(PickleId id);

  /// Looks at every tensor and storage, also at those that no argument reaches: the file is whole, or it is none.
  void check_tensors();

  bool is_tensor(PickleId id) const { return tensors_.is_tensor(id); }

 private:
  Json value(PickleId id, int depth);
  Json list(PickleId id, int depth);
  Json dict(PickleId id, int depth);
  Json object(PickleId id, int depth);
  Json call(PickleId id, int depth);
  Json memory_format(PickleId id);
  std::string text(PickleId id);

  const PickleGraph& graph_;
  DescriptionBudget budget_;
  TorchTensors tensors_;
  bool dicts_are_objects_ = false;
};

}  // namespace opcov
