#include "cli/profile_manifest.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "format/canonical_json.h"
#include "snapshot/random_access_file.h"

namespace opcov {
namespace {

/// Is `input`, as a manifest has it, the file at `path`, however it is spelt?
bool is_of(const Json& input, const std::string& path) {
  const auto name = input.get<std::string>();
  const auto last_part = [](const std::string& whole) { return std::filesystem::path(whole).filename(); };
  return name == path || (last_part(name) == last_part(path) && same_file(name, path));
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

bool tells_of(std::string_view line, const std::string& path) {
  return !is_blank(line) && is_of(parse_strict(line).at("input"), path);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// `text` without the lines that tell of a file of this path.
std::string without(std::string_view text, const std::string& path) {
  std::string kept;
  for (const std::string_view line : lines_of(text))
    if (!is_blank(line) && !tells_of(line, path)) kept.append(line).append("\n");
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

bool ProfileManifest::lists(const std::string& profile) const {
  const std::vector<std::string_view> lines = lines_of(text_);
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) { return tells_of(line, profile); });
}

void ProfileManifest::add(const Signature& signature, const std::string& profile) {
  const Json line = {
      {"input", profile}, {"input_sha256", RandomAccessFile(profile).sha256()}, {"signature", signature.value()}};
  text_ = without(text_, profile) + canonical_json(line) + "\n";
  write_whole_file(path_, text_, /*force=*/true);
}

void ProfileManifest::remove(const std::string& profile) {
  text_ = without(text_, profile);
  write_whole_file(path_, text_, /*force=*/true);
}

}  // namespace opcov
