// Any bytes as a snapshot: a call whose signature a manifest can hold, or refused with the file's name. The first byte
// says what the rest is: the pickle in a sound archive, or the whole archive.
#include <string>

#include "base/error.h"
#include "format/canonical_json.h"
#include "format/signature.h"
#include "fuzz_support.h"
#include "snapshot/snapshot_reader.h"
#include "unit/snapshot_support.h"

namespace opcov::fuzz {
namespace {

Json read(const std::string& path) {
  const RandomAccessFile file(path);
  return read_snapshot(file, {"aten.sin.default", {}}).signature;
}

// What a replay reads of it beside: where tensors lie, which the file has bytes for.
void check_places(const Json& signature, const std::string& path) {
  const RandomAccessFile file(path);
  PlacedSnapshotCall placed = read_placed_snapshot(file, {"aten.sin.default", {}});
  for (const auto& [key, stored] : placed.storages)
    require(stored.offset <= file.size() && stored.bytes <= file.size() - stored.offset, "bytes lie in the file", key);
  remove_places(placed.call.signature);
  for (const char* part : {"args", "kwargs"})
    require(placed.call.signature.at(part) == signature.at(part), "places add to a signature", signature.dump());
}

void check_signature(const Json& signature, const std::string& path) {
  check_signature_shape(signature, /*partial=*/true);
  Json without_devices = signature;
  remove_devices(without_devices);
  require(without_devices == signature, "a snapshot's signature has no devices", signature.dump());
  require(parse_strict(canonical_json(signature)) == signature, "a manifest can state the signature", signature.dump());
  require(read(path) == signature, "a snapshot is read the same twice", signature.dump());
  check_places(signature, path);
}

}  // namespace
}  // namespace opcov::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace opcov::fuzz;
  static const InputFile snapshot("dit_rank0_0123456789abcdef.pt");
  if (size == 0) return 0;
  const std::string_view text = text_of(data + 1, size - 1);
  snapshot.write(data[0] == 'z' ? std::string(text) : opcov::test::snapshot_of(std::string(text)));
  opcov::Json signature;
  try {
    signature = read(snapshot.path());
  } catch (const opcov::Error& error) {
    require(error.code() == opcov::ExitCode::kBadInput, "a snapshot that is refused is bad input", error.what());
    require(std::string_view(error.what()).starts_with(snapshot.path() + ": "), "an error names the file",
            error.what());
    return 0;
  }
  check_signature(signature, snapshot.path());
  return 0;
}
