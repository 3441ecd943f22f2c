#include "cli/profile_manifest.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/output_file.h"
#include "format/canonical_json.h"
#include "snapshot/random_access_file.h"

namespace opcov {
namespace {

/// `text` without the lines that tell of a file of this path.
std::string without(std::string_view text, const std::string& input) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (blank || parse_strict(line).at("input") == input) continue;
    kept.append(line).append("\n");
  }
  return kept;
}

}  // namespace

ProfileManifest::ProfileManifest(std::string path) : path_(std::move(path)) {
  check_writable(path_, /*force=*/true);
  std::error_code code;
  if (!std::filesystem::exists(path_, code)) return;
  entries_.add_manifest(path_);
  const RandomAccessFile file(path_);
  text_ = file.read(0, file.size());
}

bool ProfileManifest::has(const Signature& signature, const std::string& profile) const {
  std::error_code code;
  if (!std::filesystem::is_regular_file(profile, code)) return false;
  const std::string digest = RandomAccessFile(profile).sha256();
  const std::vector<ProfiledInput> known = entries_.matches(signature);
  return std::any_of(known.begin(), known.end(), [&](const ProfiledInput& one) { return one.input_sha256 == digest; });
}

void ProfileManifest::add(const Signature& signature, const std::string& profile) {
  const Json line = {
      {"input", profile}, {"input_sha256", RandomAccessFile(profile).sha256()}, {"signature", signature.value()}};
  text_ = without(text_, profile) + canonical_json(line) + "\n";
  write_whole_file(path_, text_, /*force=*/true);
}

}  // namespace opcov
