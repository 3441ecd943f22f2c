#include "fuzz_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "format/record_reader.h"
#include "report/coverage.h"
#include "report/report_json.h"
#include "report/summary.h"

// What costs most and finds least, so that the time goes into executions: uses after return, and where memory that was
// used wrongly was allocated (ASAN_OPTIONS=malloc_context_size=30 shows it for a finding in hand).
extern "C" const char* __asan_default_options() {
  return "detect_stack_use_after_return=0:malloc_context_size=0:quarantine_size_mb=16:max_malloc_fill_size=64";
}

namespace opcov::fuzz {
namespace {

namespace fs = std::filesystem;

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "opcov_fuzz_XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "there is a temporary folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// All that was read, as a text: equal texts, equal readings.
std::string dump(const RecordFile& file, const SignaturePool& pool) {
  std::string text = file.path + " " + file.sha256;
  const auto add = [&](const auto&... parts) { ((text += " ", text += parts), ...); };
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  for (const auto* findings : {&file.findings.errors, &file.findings.damage, &file.findings.warnings})
    for (const Finding& finding : *findings) add("finding", to_string(finding));
  for (const Segment& segment : file.segments) {
    add("segment", number(segment.line), number(segment.rank), number(segment.world_size), number(segment.unrecorded),
        number(static_cast<std::uint64_t>(segment.ending)), segment.header.dump());
    for (const SignatureCalls& entry : segment.signatures)
      add(pool[entry.signature].digest, number(entry.calls), entry.returns_input ? "returns its input" : "");
    for (const Notice& notice : segment.notices) add(notice.kind, number(notice.count), notice.text);
    for (const auto& [op, count] : segment.raised) add(op, number(count));
  }
  return text;
}

void check_findings(const RecordFile& file, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const std::string sidecar = fs::path(file.path).replace_extension(".counts").string();
  const auto check = [&](const Finding& finding, bool error) {
    const std::string shown = to_string(finding);
    require(finding.file == file.path || finding.file == sidecar, "a finding names a file that was read", shown);
    require(!finding.text.empty(), "a finding says something", shown);
    require(finding.line <= lines, "a finding's line is one of the file's", shown);
    require(!error || finding.line > 0 || finding.file == sidecar, "an error in a record has a line", shown);
  };
  for (const Finding& finding : file.findings.errors) check(finding, true);
  for (const Finding& finding : file.findings.damage) check(finding, true);
  for (const Finding& finding : file.findings.warnings) check(finding, false);
}

// Every line of a file without an error is JSON to another parser too; a torn last one may be none.
void check_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return;
    require(Json::accept(text.substr(0, end)), "a line that was read is JSON", text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

using Sum = unsigned __int128;

Sum calls_of(const RecordFile& file) {
  Sum sum = 0;
  for (const Segment& segment : file.segments)
    for (const SignatureCalls& entry : segment.signatures) sum += entry.calls;
  return sum;
}

void check_report(const Coverage& coverage, Sum calls) {
  std::string text;
  write_report(coverage, "scope", [&](std::string_view piece) { text += piece; });
  const Json report = parse_strict(text);
  Sum in_rows = 0;
  Sum by_rank = 0;
  Sum in_stages = 0;
  for (const Json& row : report["rows"]) {
    in_rows += row["calls"].get<std::uint64_t>();
    for (const Json& count : row["calls_by_rank"]) by_rank += count.get<std::uint64_t>();
  }
  for (const Json& stage : report["stages"]) in_stages += stage["recorded_calls"].get<std::uint64_t>();
  require(in_rows == calls && by_rank == calls && in_stages == calls, "the report states the sum of the counts");
  std::string summary = summary_text(coverage, {.top = 3, .style = {.colour = false, .width = 100}});
  std::erase(summary, '\n');
  require(printable(summary) == summary, "the summary steers no terminal", summary);
}

}  // namespace

void require(bool holds, std::string_view promise, std::string_view detail) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n%.*s\n", static_cast<int>(promise.size()), promise.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

std::string scratch(const std::string& name) {
  static const ScratchFolder folder;
  return (folder.path() / name).string();
}

InputFile::InputFile(const std::string& name, std::string_view bytes)
    : path_(scratch(name)), fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  require(fd_ >= 0, "a scratch file can be made");
  write(bytes);
}

void InputFile::write(std::string_view bytes) const {
  const bool written =
      ftruncate(fd_, 0) == 0 && pwrite(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  require(written, "a scratch file can be written");
}

RecordFile check_record(const std::string& path, std::string_view text) {
  CoverageBuilder builder;
  RecordFile file = read_record_file(path, builder.pool());
  check_findings(file, text);
  if (!file.findings.errors.empty()) return file;
  // The second time the pool knows the signatures by their raw text.
  require(dump(file, builder.pool()) == dump(read_record_file(path, builder.pool()), builder.pool()),
          "a file that reads cleanly reads the same twice");
  check_lines(text);
  try {
    builder.add(file);
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with(path + ": "), "an error names its file", error.what());
    return file;
  }
  check_report(builder.finish({}), calls_of(file));
  return file;
}

}  // namespace opcov::fuzz
