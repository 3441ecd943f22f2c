#include "format/manifest.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
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

// Empty where it is null or absent: `opcov index --no-sha256` computes none.
std::string digest_field(const Json& line) {
  const Json digest = line.value("input_sha256", Json());
  if (digest.is_null()) return {};
  if (!digest.is_string() || !is_sha256_hex(digest.get_ref<const std::string&>()))
    throw FormatError("\"input_sha256\" is not 64 lower-case hexadecimal digits");
  return digest.get<std::string>();
}

std::vector<ProfiledInput> each_once(const std::vector<ProfiledInput>& snapshots,
                                     const std::vector<std::size_t>& places) {
  std::vector<ProfiledInput> unique;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_path;  // places in unique
  for (const std::size_t place : places) {
    const ProfiledInput& snapshot = snapshots[place];
    std::vector<std::size_t>& of_path = by_path[snapshot.input];
    const auto same = std::find_if(of_path.begin(), of_path.end(), [&](std::size_t i) {
      const std::string& known = unique[i].input_sha256;
      return known.empty() || snapshot.input_sha256.empty() || known == snapshot.input_sha256;
    });
    if (same == of_path.end()) {
      of_path.push_back(unique.size());
      unique.push_back(snapshot);
    } else if (unique[*same].input_sha256.empty()) {
      unique[*same].input_sha256 = snapshot.input_sha256;
    }
  }
  return unique;
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
  ProfiledInput snapshot{string_field(line, "input"), digest_field(line)};
  if (!line.contains("signature")) throw FormatError("the manifest line has no \"signature\"");
  Json& signature = line["signature"];
  check_signature_shape(signature, /*partial=*/true);
  add(std::move(snapshot), std::move(signature));
}

void SnapshotIndex::add(ProfiledInput snapshot, Json signature) {
  remove_devices(signature);
  std::vector<std::string> absent;
  for (const char* key : {"output", "stage"})
    if (!signature.contains(key)) absent.emplace_back(key);
  std::string text = canonical_json(signature);
  const auto [found, fresh] = by_statement_[absent].emplace(sha256_hex(text), stated_.size());
  if (fresh) stated_.push_back({std::move(text), {}});
  stated_[found->second].places.push_back(snapshots_.size());
  snapshots_.push_back(std::move(snapshot));
}

std::vector<ProfiledInput> SnapshotIndex::matches(const Signature& signature) const {
  std::vector<std::size_t> places;
  for (const auto& [absent, by_digest] : by_statement_) {
    std::string digest = signature.digest;
    if (!absent.empty()) {
      Json stated = signature.value();
      for (const std::string& key : absent) stated.erase(key);
      digest = sha256_hex(canonical_json(stated));
    }
    const auto found = by_digest.find(digest);
    if (found == by_digest.end()) continue;
    const std::vector<std::size_t>& all = stated_[found->second].places;
    places.insert(places.end(), all.begin(), all.end());
  }
  std::sort(places.begin(), places.end());
  return each_once(snapshots_, places);
}

}  // namespace opcov
