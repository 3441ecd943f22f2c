#include "report/live_job.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/find_files.h"
#include "format/record_files.h"

namespace opcov {
namespace {

bool is_folder(const std::string& name) {
  std::error_code code;
  return std::filesystem::is_directory(name, code);
}

void add(const RecordFile& file, bool ended, LiveSample& sample) {
  for (const Segment& segment : file.segments) {
    const auto rank = sample.ranks.try_emplace(segment.rank, true).first;
    rank->second = rank->second && ended;
    for (const SignatureCalls& entry : segment.signatures) {
      if (entry.calls == 0) continue;
      if (entry.signature >= sample.signatures.size()) sample.signatures.resize(entry.signature + std::size_t{1});
      LiveCalls& calls = sample.signatures[entry.signature];
      calls.by_rank[segment.rank] += entry.calls;
      calls.returns_input = calls.returns_input && entry.returns_input;
    }
  }
}

}  // namespace

LiveJob::LiveJob(std::vector<std::string> names, const ProfiledInputs& inputs)
    : names_(std::move(names)), inputs_(inputs) {
  for (const std::string& name : names_)
    if (!is_folder(name)) find_record_files({name});
  refuse_duplicates(paths(), "its calls would count twice, leave one out");
}

std::vector<std::string> LiveJob::paths() const {
  std::vector<std::string> all;
  for (const std::string& name : names_) {
    const std::vector<std::string> found = is_folder(name) ? record_files_in(name) : find_record_files({name});
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

LiveSample LiveJob::sample() {
  LiveSample sample;
  sample.at = std::chrono::steady_clock::now();
  for (const std::string& path : paths()) {
    LiveFile& file = files_.try_emplace(path, path).first->second;
    file.update(pool_);
    add(file.record(), file.ended(), sample);
    sample.files += 1;
    if (file.ended()) sample.ended += 1;
    if (!file.problem().empty()) sample.problems.push_back(file.problem());
  }
  return sample;
}

bool LiveJob::covered(SignaturePool::Index index) {
  if (index >= covered_.size()) covered_.resize(index + std::size_t{1});
  if (!covered_[index]) covered_[index] = !inputs_.snapshots.matches(pool_[index]).empty();
  return *covered_[index];
}

}  // namespace opcov
