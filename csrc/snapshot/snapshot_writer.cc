#include "snapshot/snapshot_writer.h"

#include <algorithm>

#include "snapshot/torch_types.h"
#include "snapshot/zip_writer.h"

namespace opcov {
namespace {

constexpr std::string_view kModule = "torch";
constexpr std::uint64_t kMostZeros = 1 << 16;

void append_dtype(const std::string& name, PickleWriter& pickle) {
  pickle.global(kModule, std::string_view(name).substr(kModule.size() + 1));
}

void append_json(const Json& value, PickleWriter& pickle) {
  switch (value.type()) {
    case Json::value_t::boolean: return pickle.boolean(value.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return pickle.integer(value.get<std::int64_t>());
    case Json::value_t::number_float: return pickle.real(value.get<double>());
    case Json::value_t::string: return pickle.text(value.get_ref<const std::string&>());
    case Json::value_t::array:
      pickle.begin_list();
      for (const Json& item : value) append_json(item, pickle);
      return pickle.end_list();
    case Json::value_t::object:
      pickle.begin_dict();
      for (const auto& [key, item] : value.items()) {
        pickle.text(key);
        append_json(item, pickle);
      }
      return pickle.end_dict();
    default: return pickle.none();
  }
}

void append_stand_in(std::string_view what, std::string_view name, PickleWriter& pickle) {
  pickle.begin_dict();
  pickle.text(what);
  pickle.text(name);
  pickle.end_dict();
}

std::string pickle_of(const SnapshotContent& snapshot) {
  PickleWriter pickle;
  pickle.begin_dict();
  pickle.text("format");
  pickle.text("opcov-snapshot");
  pickle.text("version");
  pickle.integer(1);
  for (const char* key : {"op", "stage", "output"}) {
    pickle.text(key);
    append_json(snapshot.signature.at(key), pickle);
  }
  pickle.text("rank");
  pickle.integer(snapshot.rank);
  if (snapshot.values != SnapshotValues::kOwn) {
    pickle.text("values");
    pickle.text(snapshot.values == SnapshotValues::kRandom ? "random" : "none");
  }
  pickle.text("args");
  pickle.part(snapshot.args);
  pickle.text("kwargs");
  pickle.part(snapshot.kwargs);
  if (!snapshot.offsets.empty()) {
    pickle.text("storage_offsets");
    pickle.part(snapshot.offsets);
  }
  pickle.end_dict();
  return pickle.whole();
}

}  // namespace

void append_tensor(const SnapshotTensor& tensor, std::size_t number, const SnapshotStorage& storage,
                   PickleWriter& pickle) {
  pickle.global("torch._utils", "_rebuild_tensor_v3");
  pickle.begin_tuple();
  pickle.begin_tuple();
  pickle.text("storage");
  pickle.global("torch.storage", "UntypedStorage");
  pickle.text(std::to_string(number));
  pickle.text(storage.location);
  pickle.integer(static_cast<std::int64_t>(storage.zeros + storage.bytes));
  pickle.end_tuple();
  pickle.persistent();
  pickle.integer(tensor.offset);
  pickle.integers(tensor.shape);
  pickle.integers(tensor.stride);
  pickle.boolean(false);  // requires_grad, which changes no kernel
  pickle.global("collections", "OrderedDict");
  pickle.begin_tuple();
  pickle.end_tuple();
  pickle.call();
  append_dtype(tensor.dtype, pickle);
  if (tensor.conjugated || tensor.negative) {
    pickle.begin_dict();
    for (const auto& [bit, set] : {std::pair("conj", tensor.conjugated), std::pair("neg", tensor.negative)})
      if (set) {
        pickle.text(bit);
        pickle.boolean(true);
      }
    pickle.end_dict();
  }
  pickle.end_tuple();
  pickle.call();
}

void append_meta_tensor(const SnapshotTensor& tensor, PickleWriter& pickle) {
  pickle.global("torch._utils", "_rebuild_meta_tensor_no_storage");
  pickle.begin_tuple();
  append_dtype(tensor.dtype, pickle);
  pickle.integers(tensor.shape);
  pickle.integers(tensor.stride);
  pickle.boolean(false);
  pickle.end_tuple();
  pickle.call();
}

void append_constant(std::string_view name, PickleWriter& pickle) {
  if (is_memory_format(name)) return append_stand_in("opcov:memory_format", name, pickle);
  if (!is_layout(name)) return pickle.global(kModule, name.substr(kModule.size() + 1));
  pickle.global("torch.serialization", "_get_layout");
  pickle.begin_tuple();
  pickle.text(name);
  pickle.end_tuple();
  pickle.call();
}

void append_object(std::string_view type, PickleWriter& pickle) { append_stand_in("opcov:object", type, pickle); }

void write_snapshot(int fd, const SnapshotContent& snapshot, const std::string& path) {
  const std::string zeros(kMostZeros, '\0');
  const std::string folder = "snapshot/";
  ZipWriter zip(fd, path);
  zip.add(folder + "data.pkl", {pickle_of(snapshot)});
  zip.add(folder + "byteorder", {"little"});
  for (std::size_t number = 0; number < snapshot.storages.size(); ++number) {
    const SnapshotStorage& storage = snapshot.storages[number];
    std::vector<std::string_view> pieces;
    for (std::uint64_t left = storage.zeros; left > 0; left -= pieces.back().size())
      pieces.push_back(std::string_view(zeros).substr(0, std::min<std::uint64_t>(left, kMostZeros)));
    if (storage.bytes > 0) pieces.emplace_back(storage.data.get(), storage.bytes);
    zip.add(folder + "data/" + std::to_string(number), pieces);
  }
  zip.add(folder + "version", {"3\n"});
  zip.finish();
}

}  // namespace opcov
