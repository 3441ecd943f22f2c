#include "snapshot/torch_tensors.h"

#include <limits>
#include <utility>

#include "format/format_error.h"

namespace opcov {
namespace {

using Kind = PickleKind;

constexpr std::string_view kUtils = "torch._utils._rebuild_";
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();  // among a function's arguments
constexpr std::string_view kFromType = "torch._tensor._rebuild_from_type_v2";

Json strided(std::string_view dtype, const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& stride) {
  return {{"dtype", "torch." + std::string(dtype)}, {"shape", shape}, {"stride", stride}};
}

FormatError no_tensor() { return FormatError("a tensor in it has a shape, stride or offset that no tensor has"); }

FormatError damaged_storage() { return FormatError("a tensor in it has a storage that torch.save does not write"); }

// How many elements of its storage a tensor reaches; 0 where it has none of its own.
std::uint64_t reach(std::int64_t offset, const std::vector<std::int64_t>& shape,
                    const std::vector<std::int64_t>& stride) {
  if (shape.size() != stride.size() || offset < 0) throw no_tensor();
  bool empty = false;
  std::int64_t elements = 1;
  std::int64_t last = offset;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0 || stride[i] < 0) throw no_tensor();
    empty = empty || shape[i] == 0;
    if (shape[i] == 0) continue;
    std::int64_t step = 0;
    if (__builtin_mul_overflow(elements, shape[i], &elements) ||
        __builtin_mul_overflow(shape[i] - 1, stride[i], &step) || __builtin_add_overflow(last, step, &last))
      throw no_tensor();
  }
  return empty ? 0 : static_cast<std::uint64_t>(last) + 1;
}

void require_arguments(const std::vector<PickleId>& arguments, std::size_t least, std::size_t most,
                       const std::string& function) {
  if (arguments.size() < least || arguments.size() > most)
    throw FormatError("its pickle calls " + function + " with " + std::to_string(arguments.size()) + " arguments");
}

}  // namespace

bool TorchTensors::makes_tensor(std::string_view function) {
  return function.starts_with(kUtils) || function == kFromType;
}

bool TorchTensors::is_tensor(PickleId id) const {
  return graph_.is(id, Kind::kCall) && makes_tensor(graph_.global(graph_.items(id)[0]));
}

Json TorchTensors::describe(PickleId tensor, int depth) {
  if (!is_tensor(tensor)) throw FormatError("a tensor in it is made of something that is no tensor");
  const Items& call = graph_.items(tensor);
  return describe(graph_.global(call[0]), graph_.items(call[1]), depth + 1);
}

Json TorchTensors::describe(const std::string& function, const Items& arguments, int depth) {
  DescriptionBudget::check_depth(depth);
  const auto takes = [&](std::size_t least, std::size_t most) { require_arguments(arguments, least, most, function); };
  if (function == kFromType) return takes(4, 4), of_type(arguments, depth);
  const std::string what = function.substr(kUtils.size());
  const auto has_flag = [&](std::size_t at) {  // requires_grad
    if (!graph_.is(arguments[at], Kind::kBool)) throw FormatError("a tensor in it neither has gradients nor has none");
  };
  if (what == "tensor_v2") return takes(6, 7), has_flag(4), in_storage(arguments, {}, 6);
  if (what == "tensor_v3") return takes(7, 8), has_flag(4), in_storage(arguments, dtype(arguments[6]), 7);
  if (what == "tensor") return takes(4, 4), in_storage(arguments, {}, kNowhere);
  if (what == "qtensor") return takes(7, 7), has_flag(5), in_storage(arguments, {}, kNowhere);
  if (what == "sparse_tensor") return takes(2, 2), sparse(arguments, depth);
  if (what == "nested_tensor") return takes(4, 4), nested(arguments, depth);
  if (what == "meta_tensor_no_storage") return takes(4, 4), has_flag(3), on_meta(arguments);
  if (what == "parameter") return takes(3, 3), has_flag(1), describe(arguments[0], depth);
  if (what == "parameter_with_state") return takes(4, 4), has_flag(1), describe(arguments[0], depth);
  throw FormatError("its pickle calls " + function + ", which opcov does not know");
}

Json TorchTensors::in_storage(const Items& arguments, std::optional<TorchDtype> dtype, std::size_t metadata_at) {
  const auto [counted_as, bytes] = storage(arguments[0]);
  const TorchDtype of = dtype.value_or(counted_as);
  const std::vector<std::int64_t> shape = sizes(arguments[2]);
  const std::vector<std::int64_t> stride = sizes(arguments[3]);
  std::uint64_t bits = 0;
  if (__builtin_mul_overflow(reach(whole(arguments[1]), shape, stride), of.bits, &bits) || (bits + 7) / 8 > bytes)
    throw FormatError("a tensor in it is larger than its storage");
  Json tensor = strided(of.name, shape, stride);
  if (with_places_) add_place(tensor, arguments, metadata_at);
  return tensor;
}

// The storage has been checked.
void TorchTensors::add_place(Json& tensor, const Items& arguments, std::size_t metadata_at) const {
  const Items& storage = graph_.items(graph_.items(arguments[0])[0]);
  const std::string location(graph_.text(storage[3]));
  if (location == "meta") return;
  const auto flag = [&](std::string_view name) {
    if (metadata_at >= arguments.size() || !graph_.is(arguments[metadata_at], Kind::kDict)) return false;
    const PickleId* value = graph_.find(arguments[metadata_at], name);
    return value != nullptr && graph_.is(*value, Kind::kBool) && graph_.integer(*value) != 0;
  };
  tensor["device"] = location;
  tensor["place"] = {{"storage", std::string(graph_.text(storage[2]))},
                     {"offset", graph_.integer(arguments[1])},
                     {"conjugate", flag("conj")},
                     {"negative", flag("neg")}};
}

// The last values make a strided tensor: (.., values, size[, is_coalesced]).
Json TorchTensors::sparse(const Items& arguments, int depth) {
  const Items& made = graph_.is(arguments[0], Kind::kCall) ? graph_.items(arguments[0]) : Items();
  if (made.empty() || graph_.global(made[0]) != "torch.serialization._get_layout" ||
      graph_.items(made[1]).size() != 1 || !graph_.is(arguments[1], Kind::kTuple))
    throw FormatError("a sparse tensor in it has no layout");
  const std::string name = layout(graph_.items(made[1])[0]);
  const Items& parts = graph_.items(arguments[1]);
  const bool coo = name == "torch.sparse_coo";
  if (!name.starts_with("torch.sparse_") || (coo ? parts.size() != 3 && parts.size() != 4 : parts.size() != 4))
    throw FormatError("a sparse tensor in it is not made of what its layout " + name + " needs");
  const std::size_t n_tensors = coo ? 2 : 3;
  Json values;
  for (std::size_t i = 0; i < n_tensors; ++i) values = describe(parts[i], depth);
  return {{"dtype", values["dtype"]}, {"layout", name}, {"shape", sizes(parts[n_tensors])}};
}

Json TorchTensors::nested(const Items& arguments, int depth) {
  for (std::size_t i = 1; i < arguments.size(); ++i) describe(arguments[i], depth);
  return {{"dtype", describe(arguments[0], depth)["dtype"]}, {"layout", "torch.strided"}};
}

// A tensor without values: a snapshot that keeps them back states its structure so.
Json TorchTensors::on_meta(const Items& arguments) {
  const std::vector<std::int64_t> shape = sizes(arguments[1]);
  const std::vector<std::int64_t> stride = sizes(arguments[2]);
  reach(0, shape, stride);
  return strided(dtype(arguments[0]).name, shape, stride);
}

// A tensor with attributes, which are no part of its structure.
Json TorchTensors::of_type(const Items& arguments, int depth) {
  if (!graph_.is(arguments[0], Kind::kGlobal) || !graph_.is(arguments[1], Kind::kGlobal) ||
      !graph_.is(arguments[2], Kind::kTuple))
    throw FormatError("a tensor in it is made of something that is no tensor");
  const std::string type = graph_.global(arguments[1]);
  if (type != "torch.Tensor" && type != "torch.nn.parameter.Parameter")
    throw FormatError("a tensor in it is of the type " + type);
  const std::string function = graph_.global(arguments[0]);
  if (!function.starts_with(kUtils)) throw FormatError("a tensor in it is made by " + function);
  return describe(function, graph_.items(arguments[2]), depth + 1);
}

std::pair<TorchDtype, std::uint64_t> TorchTensors::storage(PickleId id) const {
  if (!graph_.is(id, Kind::kPersistent) || !graph_.is(graph_.items(id)[0], Kind::kTuple)) throw damaged_storage();
  const Items& place = graph_.items(graph_.items(id)[0]);  // "storage", its class, its key, where, elements
  if (place.size() != 5 || !graph_.is(place[1], Kind::kGlobal)) throw damaged_storage();
  for (const std::size_t i : {0, 2, 3})
    if (!graph_.is(place[i], Kind::kString)) throw damaged_storage();
  const std::optional<TorchDtype> dtype = dtype_of_storage(graph_.global(place[1]));
  if (!dtype || graph_.text(place[0]) != "storage" || whole(place[4]) < 0) throw damaged_storage();
  const auto elements = static_cast<std::uint64_t>(whole(place[4]));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, dtype->bytes(), &bytes)) throw damaged_storage();
  if (graph_.text(place[3]) == "meta") return {*dtype, bytes};  // no values, and none in the file
  const std::optional<std::uint64_t> in_file = storage_bytes_(graph_.text(place[2]));
  // Bytes past the last whole element may follow.
  if (!in_file || *in_file / dtype->bytes() != elements)
    throw FormatError("a tensor's values are not in it, or not whole: it was cut short or put together by hand");
  return {*dtype, *in_file};
}

std::vector<std::int64_t> TorchTensors::sizes(PickleId id) {
  if (graph_.is(id, Kind::kCall) && graph_.global(graph_.items(id)[0]) == "torch.Size" &&
      graph_.items(graph_.items(id)[1]).size() == 1)
    id = graph_.items(graph_.items(id)[1])[0];
  if (!graph_.is(id, Kind::kTuple) && !graph_.is(id, Kind::kList))
    throw FormatError("a tensor in it has a shape that is none");
  constexpr std::uint64_t kBytesOfAny = 16;
  budget_.spend(kBytesOfAny * (1 + graph_.items(id).size()));
  std::vector<std::int64_t> all;
  for (const PickleId item : graph_.items(id)) all.push_back(whole(item));
  return all;
}

std::string TorchTensors::layout(PickleId name) const {
  if (!graph_.is(name, Kind::kString) || !is_layout(graph_.text(name)))
    throw FormatError("holds a layout that torch does not have");
  return std::string(graph_.text(name));
}

TorchDtype TorchTensors::dtype(PickleId id) const {
  const auto dtype = graph_.is(id, Kind::kGlobal) ? torch_dtype(graph_.global(id)) : std::nullopt;
  if (!dtype) throw FormatError("a tensor in it has a dtype that torch does not have");
  return *dtype;
}

std::int64_t TorchTensors::whole(PickleId id) const {
  if (!graph_.is(id, Kind::kInt)) throw FormatError("a tensor in it has a size that is no whole number");
  return graph_.integer(id);
}

}  // namespace opcov
