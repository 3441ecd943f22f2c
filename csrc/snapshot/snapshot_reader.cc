#include "snapshot/snapshot_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "format/format_error.h"
#include "format/signature.h"
#include "snapshot/torch_values.h"

namespace opcov {
namespace {

using Kind = PickleKind;

constexpr std::string_view kFormat = "opcov-snapshot";
constexpr std::int64_t kVersion = 1;

// `{stage}_rank{R}_{first 16 hex of the digest}.pt`, which opcov gives its own snapshots.
std::optional<std::string> stage_of_name(const std::string& path) {
  constexpr std::string_view kRank = "_rank";
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kDigits = kHex.substr(0, 10);
  std::string name = std::filesystem::path(path).filename().string();
  constexpr std::size_t kEndBytes = 1 + 16 + 3;
  if (!name.ends_with(".pt") || name.size() < kEndBytes || name[name.size() - kEndBytes] != '_') return std::nullopt;
  if (name.substr(name.size() - kEndBytes + 1, 16).find_first_not_of(kHex) != std::string::npos) return std::nullopt;
  name.resize(name.size() - kEndBytes);
  const std::size_t rank = name.rfind(kRank);
  if (rank == std::string::npos || rank + kRank.size() == name.size() ||
      name.find_first_not_of(kDigits, rank + kRank.size()) != std::string::npos)
    return std::nullopt;
  return name.substr(0, rank);
}

class CallReader {
 public:
  CallReader(const TorchArchive& archive, bool with_places)
      : graph_(archive.pickle()),
        values_(
            graph_, [&archive](std::string_view key) { return archive.storage_bytes(key); }, with_places) {}

  SnapshotCall read(const SnapshotDefaults& defaults, const std::string& path) {
    values_.check_tensors();
    Json& signature = call_.signature = Json::object();
    signature["op"] = defaults.op;
    const PickleId root = graph_.root();
    if (graph_.is(root, Kind::kDict)) {
      read_dict(root);
    } else if (values_.is_tensor(root)) {
      signature["args"] = Json::array({values_.argument(root)});
      signature["kwargs"] = Json::object();
    } else if (is_list(root)) {
      read_list(graph_.items(root), root);
    } else {
      throw FormatError("holds neither a dict with args and kwargs nor a tuple of inputs");
    }
    if (signature["op"] == "")
      throw FormatError(
          "does not say of which operator it holds the inputs; name it by opcov index --op aten.linear.default");
    if (!signature.contains("stage"))
      if (const auto stage = stage_of_name(path).has_value() ? stage_of_name(path) : defaults.stage)
        signature["stage"] = *stage;
    check_signature_shape(signature, /*partial=*/true);
    return std::move(call_);
  }

 private:
  bool is_list(PickleId id) const { return graph_.is(id, Kind::kTuple) || graph_.is(id, Kind::kList); }

  // A tuple of inputs, or args and kwargs.
  void read_list(const std::vector<PickleId>& items, PickleId root) {
    const bool both = items.size() == 2 && is_list(items[0]) && graph_.is(items[1], Kind::kDict);
    call_.signature["args"] = values_.argument(both ? items[0] : root);
    call_.signature["kwargs"] = both ? kwargs(items[1]) : Json::object();
  }

  void read_dict(PickleId root) {
    check_format(root);
    const PickleId* args = graph_.find(root, "args");
    const PickleId* kwargs_found = graph_.find(root, "kwargs");
    // Also where there are kwargs: a key that was misspelt must not become a call without args.
    if (args == nullptr) throw FormatError("holds a dict without args; save {\"args\": (..), \"kwargs\": {..}}");
    if (!is_list(*args)) throw FormatError("its args are no tuple; save {\"args\": (x, ..)}");
    call_.signature["args"] = values_.argument(*args);
    call_.signature["kwargs"] = kwargs_found == nullptr ? Json::object() : kwargs(*kwargs_found);
    if (const PickleId* op = given(root, "op")) call_.signature["op"] = operator_name(string(*op, "op"));
    if (const PickleId* stage = given(root, "stage")) call_.signature["stage"] = string(*stage, "stage");
    if (const PickleId* output = graph_.find(root, "output")) call_.signature["output"] = values_.stated(*output);
    if (const PickleId* rank = given(root, "rank")) {
      if (!graph_.is(*rank, Kind::kInt) || graph_.integer(*rank) < 0) throw FormatError("its rank is no whole number");
      call_.rank = static_cast<std::uint64_t>(graph_.integer(*rank));
    }
    const PickleId* values = graph_.find(root, "format") == nullptr ? nullptr : given(root, "values");
    if (values == nullptr) return;
    const std::string whose = string(*values, "values");
    if (whose == "none") call_.values = SnapshotValues::kNone;
    if (whose == "random") call_.values = SnapshotValues::kRandom;
  }

  void check_format(PickleId root) {
    const PickleId* format = graph_.find(root, "format");
    if (format == nullptr) return;  // saved by hand
    const PickleId* version = graph_.find(root, "version");
    if (string(*format, "format") != kFormat) throw FormatError("says that it is in another format than opcov's");
    if (version == nullptr || !graph_.is(*version, Kind::kInt) || graph_.integer(*version) > kVersion)
      throw FormatError("is a snapshot of a version that this opcov does not read; update opcov");
  }

  // None says as little as an absent key.
  const PickleId* given(PickleId root, std::string_view key) const {
    const PickleId* value = graph_.find(root, key);
    return value == nullptr || graph_.is(*value, Kind::kNone) ? nullptr : value;
  }

  std::string string(PickleId id, const std::string& key) {
    if (!graph_.is(id, Kind::kString)) throw FormatError("its " + key + " is no string");
    return values_.argument(id).get<std::string>();
  }

  Json kwargs(PickleId id) {
    if (!graph_.is(id, Kind::kDict)) throw FormatError("its kwargs are no dict");
    Json all = Json::object();
    const std::vector<PickleId>& items = graph_.items(id);
    for (std::size_t i = 0; i < items.size(); i += 2)
      all[string(items[i], "kwarg's name")] = values_.argument(items[i + 1]);
    return all;
  }

  const PickleGraph& graph_;
  TorchValues values_;
  SnapshotCall call_;
};

void remove_place(Json& value) {
  if (is_tensor(value)) {
    value.erase("place");
  } else if (value.is_structured()) {
    for (Json& inner : value) remove_place(inner);
  }
}

/// Of all tensors of a call.
void remove_only_places(Json& signature) {
  for (const char* key : {"args", "output"})
    if (signature.contains(key)) remove_place(signature[key]);
  for (Json& value : signature["kwargs"]) remove_place(value);
}

PlacedSnapshotCall read(const RandomAccessFile& file, const SnapshotDefaults& defaults, bool with_places) {
  try {
    const TorchArchive archive(file);
    PlacedSnapshotCall placed{CallReader(archive, with_places).read(defaults, file.path()), archive.storages()};
    if (with_places && placed.call.values == SnapshotValues::kRandom) {
      remove_only_places(placed.call.signature);
      placed.storages.clear();
    }
    return placed;
  } catch (const FormatError& error) {
    throw bad_input(file.path() + ": " + error.what());
  }
}

}  // namespace

std::string operator_name(std::string_view text) {
  std::string name(text);
  if (const std::size_t colons = name.find("::"); colons != std::string::npos) name.replace(colons, 2, ".");
  const auto dots = std::count(name.begin(), name.end(), '.');
  if (dots == 1) name += ".default";
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '.' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!plain || dots < 1 || dots > 2 || name.starts_with('.') || name.find("..") != std::string::npos ||
      name.ends_with('.'))
    throw FormatError("the op is no operator's name such as aten.linear.default");
  return name;
}

PlacedSnapshotCall read_placed_snapshot(const RandomAccessFile& file, const SnapshotDefaults& defaults) {
  return read(file, defaults, /*with_places=*/true);
}

void remove_places(Json& signature) {
  remove_devices(signature);
  remove_only_places(signature);
}

SnapshotCall read_snapshot(const RandomAccessFile& file, const SnapshotDefaults& defaults) {
  return read(file, defaults, /*with_places=*/false).call;
}

}  // namespace opcov
