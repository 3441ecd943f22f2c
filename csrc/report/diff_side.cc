#include "report/diff_side.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/line_reader.h"
#include "format/canonical_json.h"
#include "report/load.h"

namespace opcov {
namespace {

constexpr const char* kStatus = "structural_signature_coverage_audited";

// A record begins with its header, a whole object on one line; a report's first line is its bracket, or has its first
// key where somebody has written it on one line.
bool is_report(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return false;
  LineReader lines(path);
  std::string_view line;
  if (!lines.next(line)) return false;
  if (line == "{" || line == "{\r") return true;
  return line.substr(0, 4096).find(kStatus) != std::string_view::npos;
}

Json parsed_report(const std::string& path) {
  std::string text;
  LineReader lines(path);
  for (std::string_view line; lines.next(line);) {
    text += line;
    text += '\n';
  }
  try {
    Json report = parse_strict(text);
    if (report.value("status", Json()) != kStatus || !report.value("rows", Json()).is_array())
      throw FormatError("it has no status of a report or no rows");
    return report;
  } catch (const FormatError& error) {
    throw bad_input(path + ": is neither a record nor a report of opcov: " + error.what());
  }
}

DiffRow row_of_report(const Json& row) {
  const auto calls = as_count(row.value("calls", Json()));
  const Json inputs = row.value("same_structural_signature_ncu_inputs", Json());
  if (!calls || !inputs.is_array()) throw FormatError("it lacks its calls or its inputs");
  DiffRow made{make_signature(row.value("signature", Json())), *calls, !inputs.empty()};
  if (row.value("signature_sha256", Json()) != made.signature.digest)
    throw FormatError("its digest is not that of its signature");
  return made;
}

void add_report(const std::string& path, DiffSide& side) {
  const Json report = parsed_report(path);
  side.compared = true;
  for (const Json& row : report.at("rows")) {
    try {
      if (!row.is_object()) throw FormatError("it is no object");
      side.rows.push_back(row_of_report(row));
    } catch (const FormatError& error) {
      throw bad_input(path + ": row " + std::to_string(side.rows.size()) + ": " + error.what());
    }
  }
}

void add_records(const std::string& name, DiffSide& side) {
  Loaded loaded = load_coverage({name}, {});
  for (CoverageRow& row : loaded.coverage.rows)
    side.rows.push_back({std::move(row.signature), row.calls, std::nullopt});
  side.warnings = std::move(loaded.warnings);
}

void hold_against(const ProfiledInputs& inputs, DiffSide& side) {
  if (inputs.files.empty()) return;
  side.compared = true;
  for (DiffRow& row : side.rows) row.covered = !inputs.snapshots.matches(row.signature).empty();
}

void sum_up(const std::string& name, DiffSide& side) {
  std::sort(side.rows.begin(), side.rows.end(),
            [](const DiffRow& a, const DiffRow& b) { return a.signature.digest < b.signature.digest; });
  for (std::size_t i = 0; i < side.rows.size(); ++i) {
    if (i > 0 && side.rows[i].signature.digest == side.rows[i - 1].signature.digest)
      throw bad_input(name + ": has two rows of one signature, " + side.rows[i].signature.digest);
    if (side.rows[i].calls > INT64_MAX - side.calls) throw bad_input(name + ": its calls add up to more than 2^63-1");
    side.calls += side.rows[i].calls;
  }
}

}  // namespace

DiffSide load_side(const std::string& name, const ProfiledInputs& inputs) {
  DiffSide side;
  side.name = name;
  if (is_report(name))
    add_report(name, side);
  else
    add_records(name, side);
  hold_against(inputs, side);
  sum_up(name, side);
  return side;
}

}  // namespace opcov
