#include "report/live_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "format/counts_reader.h"
#include "format/format_error.h"
#include "format/record_reader.h"

namespace opcov {

LiveFile::Stamp LiveFile::stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool LiveFile::ended() const {
  return !record_.segments.empty() &&
         std::all_of(record_.segments.begin(), record_.segments.end(), [](const Segment& s) { return s.has_end_line; });
}

void LiveFile::update(SignaturePool& pool) {
  problem_.clear();
  try {
    const Stamp now = stamp_of(path_);
    if (now != stamp_ || record_.segments.empty()) {
      read(pool);
      stamp_ = now;  // from before reading: what was written meanwhile is read again
    } else if (!places_.empty()) {
      read_counts_alone();
    }
  } catch (const Error& error) {
    problem_ = error.what();
  } catch (const FormatError& error) {
    problem_ = counts_path(path_) + ": " + error.what();
  }
}

void LiveFile::read(SignaturePool& pool) {
  RecordFile file = read_record_file(path_, pool);
  file.findings.throw_errors();
  record_ = std::move(file);
  places_.clear();
  if (record_.segments.size() != 1 || record_.segments.front().has_end_line) return;
  const auto& signatures = record_.segments.front().signatures;
  for (std::size_t i = 0; i < signatures.size(); ++i) places_.emplace(signatures[i].id, i);
}

void LiveFile::read_counts_alone() {
  const auto counts = read_counts(counts_path(path_));
  if (!counts) return;  // gone with the end line, which the next look finds
  for (const auto& [id, calls] : counts->calls)
    if (const auto place = places_.find(id); place != places_.end())
      record_.segments.front().signatures[place->second].calls = calls;
}

}  // namespace opcov
