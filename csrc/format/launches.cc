#include "format/launches.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/sha256.h"
#include "format/canonical_json.h"

namespace opcov {
namespace {

// "metadata_rank0_pid42" of "metadata_rank0_pid42_2.jsonl"; empty where no recorder gave the name.
std::string name_of_process(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  const std::size_t pid = name.find("_pid");
  if (!name.starts_with("metadata_rank") || pid == std::string::npos) return {};
  name.resize(std::min(name.size(), name.find('_', pid + 1)));
  return name;
}

// Each recording of a process got a file of its own.
bool recorded_apart(const std::filesystem::path& file, const std::filesystem::path& other) {
  return file.parent_path() == other.parent_path() && !name_of_process(file).empty() &&
         name_of_process(file) == name_of_process(other);
}

// Recorders once wrote whole seconds, within which a process can record twice. In one file that is taken for what it
// was when the file was merged.
bool may_be_two(const Segment& segment, const std::string& file, const std::string& other) {
  const Json started_at = segment.header.value("started_at", Json());
  const bool whole_seconds = started_at.is_string() && started_at.get<std::string>().find('.') == std::string::npos;
  return whole_seconds && (file == other || recorded_apart(file, other));
}

}  // namespace

std::string launch_of(const Json& header) {
  for (const char* key : {"host", "pid", "started_at"})
    if (!header.contains(key)) return {};
  return sha256_hex(canonical_json(header));
}

void Launches::add(const RecordFile& file) {
  for (const Segment& segment : file.segments) {
    if (segment.launch.empty()) continue;
    const auto [known, is_new] = known_.try_emplace(segment.launch, Place{file.path, segment.line});
    const Place& first = known->second;
    if (is_new || may_be_two(segment, file.path, first.file)) continue;
    throw bad_input(file.path + ":" + std::to_string(segment.line) + ": the launch that begins here is in " +
                    first.file + ":" + std::to_string(first.line) +
                    " too; its calls would count twice, leave one of the two out");
  }
}

}  // namespace opcov
