#include "replay/find_calls.h"

#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "format/canonical_json.h"
#include "format/digest_prefix.h"
#include "format/record_files.h"
#include "replay/recorded_calls.h"
#include "snapshot/snapshot_files.h"
#include "snapshot/snapshot_reader.h"

namespace opcov {
namespace {

ReplayedCall call_of_snapshot(const std::string& path, RecordedCalls& records) {
  PlacedSnapshotCall placed = read_placed_snapshot(RandomAccessFile(path), {});
  ReplayedCall call{std::move(placed.call.signature), {}, path, std::move(placed.storages), {}};
  const Json stated = without_places(call.signature);
  call.digest = sha256_hex(canonical_json(stated));
  if (const ReplayedCall* recorded = records.stated_by(stated, call.digest)) call.header = recorded->header;
  return call;
}

}  // namespace

FoundCalls find_calls(const std::vector<std::string>& names, const std::vector<std::string>& records) {
  refuse_digests(records, "--records");
  RecordedCalls recorded(records.empty() ? std::vector<std::string>() : find_record_files(records));
  FoundCalls found;
  if (names.empty()) {
    found.calls = recorded.all();
    return found;
  }
  std::vector<std::string> prefixes;
  std::vector<std::string> files;
  for (const std::string& name : names) (is_digest_prefix(name) ? prefixes : files).push_back(name);
  if (records.empty() && !prefixes.empty())
    throw bad_input(prefixes.front() + ": a digest needs the records that hold it: give --records");
  for (const std::string& path : files.empty() ? files : find_snapshot_files(files)) {
    try {
      found.calls.push_back(call_of_snapshot(path, recorded));
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      found.problems.emplace_back(error.what());
    }
  }
  for (const std::string& prefix : prefixes) found.calls.push_back(recorded.beginning_with(prefix));
  return found;
}

}  // namespace opcov
