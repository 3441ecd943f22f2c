#include "snapshot/torch_values.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "format/format_error.h"

namespace opcov {
namespace {

using Kind = PickleKind;

// A dict of one of these keys, such as {"opcov:object": "Generator"}, stands for a value that torch.save cannot write
// so that torch.load takes it.
constexpr std::string_view kObject = "opcov:object";
constexpr std::string_view kMemoryFormat = "opcov:memory_format";

Json real(double number) {
  if (std::isnan(number)) return {{"float", "nan"}};
  if (std::isinf(number)) return {{"float", number > 0 ? "inf" : "-inf"}};
  return number;
}

}  // namespace

Json TorchValues::stated(PickleId id) {
  dicts_are_objects_ = true;
  Json stated = value(id, 0);
  dicts_are_objects_ = false;
  return stated;
}

void TorchValues::check_tensors() {
  for (PickleId id = 0; id < graph_.size(); ++id)
    if (graph_.is(id, Kind::kPersistent) || is_tensor(id)) argument(id);
}

Json TorchValues::value(PickleId id, int depth) {
  constexpr std::uint64_t kBytesOfAny = 16;
  budget_.spend(kBytesOfAny);
  DescriptionBudget::check_depth(depth);
  switch (graph_.kind(id)) {
    case Kind::kNone: return nullptr;
    case Kind::kBool: return graph_.integer(id) != 0;
    case Kind::kInt: return graph_.integer(id);
    case Kind::kFloat: return real(graph_.real(id));
    case Kind::kString: return text(id);
    case Kind::kTuple:
    case Kind::kList: return list(id, depth);
    case Kind::kDict: return dicts_are_objects_ ? object(id, depth) : dict(id, depth);
    case Kind::kCall: return call(id, depth);
    case Kind::kPersistent: return tensors_.storage(id), Json{{"object", "UntypedStorage"}};
    case Kind::kHugeInt: throw FormatError("holds an integer beyond 64 bits, which no operator takes");
    case Kind::kBytes: throw FormatError("holds bytes, which no operator takes");
    case Kind::kGlobal: break;
  }
  std::string name = graph_.global(id);
  if (!torch_dtype(name) && !is_qscheme(name)) throw FormatError("holds " + name + " itself, which no operator takes");
  return name;
}

std::string TorchValues::text(PickleId id) {
  if (!graph_.is(id, Kind::kString)) throw FormatError("has something else where a string should stand");
  budget_.spend(graph_.text(id).size());
  return std::string(graph_.text(id));
}

Json TorchValues::list(PickleId id, int depth) {
  Json all = Json::array();
  for (const PickleId item : graph_.items(id)) all.push_back(value(item, depth + 1));
  return all;
}

Json TorchValues::memory_format(PickleId id) {
  std::string name = text(id);
  if (!is_memory_format(name)) throw FormatError("holds a memory format that torch does not have");
  return name;
}

Json TorchValues::dict(PickleId id, int depth) {
  const std::vector<PickleId>& items = graph_.items(id);
  if (items.size() == 2 && graph_.find(id, kObject) != nullptr) return {{"object", text(items[1])}};
  if (items.size() == 2 && graph_.find(id, kMemoryFormat) != nullptr) return memory_format(items[1]);
  Json pairs = Json::array();
  std::set<std::string> keys;
  for (std::size_t i = 0; i < items.size(); i += 2) {
    Json key = value(items[i], depth + 1);
    if (!keys.insert(key.dump()).second) throw FormatError("a dict in it has a key twice");
    pairs.push_back(Json::array({std::move(key), value(items[i + 1], depth + 1)}));
  }
  return {{"dict", std::move(pairs)}};
}

Json TorchValues::object(PickleId id, int depth) {
  const std::vector<PickleId>& items = graph_.items(id);
  Json object = Json::object();
  for (std::size_t i = 0; i < items.size(); i += 2) object[text(items[i])] = value(items[i + 1], depth + 1);
  return object;
}

Json TorchValues::call(PickleId id, int depth) {
  const std::string function = graph_.global(graph_.items(id)[0]);
  const std::vector<PickleId>& arguments = graph_.items(graph_.items(id)[1]);
  if (TorchTensors::makes_tensor(function)) return tensors_.describe(function, arguments, depth);
  if (function == "torch.Size" && arguments.size() == 1) return tensors_.sizes(arguments[0]);
  if (function == "torch.serialization._get_layout" && arguments.size() == 1) return tensors_.layout(arguments[0]);
  if (function == "torch.device" && (arguments.size() == 1 || arguments.size() == 2)) {
    const std::string device = text(arguments[0]);
    return device.substr(0, device.find(':'));  // its type alone
  }
  if (function == "builtins.complex" && arguments.size() == 2 && graph_.is(arguments[0], Kind::kFloat) &&
      graph_.is(arguments[1], Kind::kFloat))
    return {{"complex", Json::array({real(graph_.real(arguments[0])), real(graph_.real(arguments[1]))})}};
  throw FormatError("holds a value made by " + function + ", which no operator takes");
}

}  // namespace opcov
