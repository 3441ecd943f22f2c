// Any bytes as a manifest: read whole, or refused with file and line.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "format/manifest.h"
#include "fuzz_support.h"

namespace opcov::fuzz {
namespace {

bool names_a_line(std::string_view message, const std::string& path, std::size_t lines) {
  if (!message.starts_with(path + ":")) return false;
  message.remove_prefix(path.size() + 1);
  const std::size_t line = std::strtoul(std::string(message).c_str(), nullptr, 10);
  return line >= 1 && line <= lines && message.find(": ") != std::string_view::npos;
}

// Counts and finds again what the lines state, each on its own.
void check_lines(const SnapshotIndex& index, std::string_view text) {
  std::size_t stated = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ++stated;
    Json signature = Json::parse(line)["signature"];
    if (!signature.contains("output")) signature["output"] = nullptr;
    if (!signature.contains("stage")) signature["stage"] = "";
    require(!index.matches(make_signature(signature)).empty(), "a line's own signature matches it", line);
  }
  require(index.size() == stated, "every line that is not blank is a snapshot");
}

}  // namespace
}  // namespace opcov::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace opcov::fuzz;
  static const InputFile manifest("m.jsonl");
  const std::string_view text = text_of(data, size);
  manifest.write(text);
  opcov::SnapshotIndex index;
  try {
    index.add_manifest(manifest.path());
  } catch (const opcov::Error& error) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(error.code() == opcov::ExitCode::kBadInput, "a manifest that is refused is bad input", error.what());
    require(names_a_line(error.what(), manifest.path(), lines), "an error names file and line", error.what());
    return 0;
  }
  check_lines(index, text);
  return 0;
}
