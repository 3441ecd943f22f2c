#include "format/manifest.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "format/canonical_json.h"

namespace opcov {
namespace {

std::string string_field(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_string() || found->get_ref<const std::string&>().empty())
    throw FormatError(std::string("the manifest line has no string \"") + key + "\"");
  return found->get<std::string>();
}

}  // namespace

void SnapshotIndex::add_manifest(const std::string& path) {
  LineReader lines(path);
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      add_line(line);
    } catch (const FormatError& error) {
      throw bad_input(path + ":" + std::to_string(lines.line_number()) + ": " + shortened(error.what()) +
                      "; a manifest line is {\"input\":PATH,\"input_sha256\":DIGEST,\"signature\":{..}}");
    }
  }
  ++manifests_;
}

void SnapshotIndex::add_line(std::string_view text) {
  Json line = parse_strict(text);
  if (!line.is_object()) throw FormatError("the manifest line is no object");
  if (line.contains("record") && !line.contains("input"))
    throw FormatError("this is a record file and no manifest: RECORDS stand before --inputs on the command line");
  Snapshot snapshot{string_field(line, "input"), string_field(line, "input_sha256")};
  if (!is_sha256_hex(snapshot.input_sha256))
    throw FormatError("\"input_sha256\" is not 64 lower-case hexadecimal digits");
  if (!line.contains("signature")) throw FormatError("the manifest line has no \"signature\"");
  Json& signature = line["signature"];
  check_signature_shape(signature, /*partial=*/true);
  remove_devices(signature);
  std::vector<std::string> absent;
  for (const char* key : {"output", "stage"})
    if (!signature.contains(key)) absent.emplace_back(key);
  by_statement_[absent][sha256_hex(canonical_json(signature))].push_back(snapshots_.size());
  snapshots_.push_back(std::move(snapshot));
}

std::vector<Snapshot> SnapshotIndex::matches(const Signature& signature) const {
  std::vector<std::size_t> places;
  for (const auto& [absent, by_digest] : by_statement_) {
    std::string digest = signature.digest;
    if (!absent.empty()) {
      Json stated = signature.value();
      for (const std::string& key : absent) stated.erase(key);
      digest = sha256_hex(canonical_json(stated));
    }
    const auto found = by_digest.find(digest);
    if (found != by_digest.end()) places.insert(places.end(), found->second.begin(), found->second.end());
  }
  std::sort(places.begin(), places.end());
  std::vector<Snapshot> unique;
  for (const std::size_t place : places)
    if (std::find(unique.begin(), unique.end(), snapshots_[place]) == unique.end()) unique.push_back(snapshots_[place]);
  return unique;
}

}  // namespace opcov
