#include "format/merge.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/in_order.h"
#include "base/progress.h"
#include "base/regular_file.h"
#include "base/sha256.h"
#include "format/count_sum.h"
#include "format/launches.h"
#include "format/record_reader.h"
#include "format/sidecar_lines.h"

namespace opcov {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open_input(path)) {}
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error changed(const std::string& file) {
  return failure(file + ": was changed by another program while it was merged; nothing was written, try again");
}

// Gives the segment's text to the sink; returns its digest.
std::string copy_text(const MergedSegment& segment, const std::string& path, const Sink& sink) {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    hash.update(text);
    sink(text);
  };
  const Descriptor file(path);
  std::string buffer(std::size_t{64} << 10, '\0');
  char last = '\n';
  for (std::uint64_t at = segment.begin; at < segment.end;) {
    const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), segment.end - at);
    const ssize_t got = pread(file.get(), buffer.data(), wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannot_read(path);
    if (got == 0) throw changed(path);
    add({buffer.data(), static_cast<std::size_t>(got)});
    last = buffer[static_cast<std::size_t>(got) - 1];
    at += static_cast<std::uint64_t>(got);
  }
  if (last != '\n') add("\n");  // a whole last line that was cut before its newline
  add(segment.tail);
  return hash.finish();
}

MergedSegment merged(const Segment& segment, std::size_t file, const std::string& path) {
  MergedSegment made;
  made.file = file;
  made.begin = segment.begin;
  made.end = segment.end;
  made.rank = segment.rank;
  const Json started_at = segment.header.value("started_at", Json());
  if (started_at.is_string()) made.started_at = started_at.get<std::string>();
  if (segment.ending == Ending::kSidecar && !segment.has_end_line) made.tail = sidecar_as_lines(segment);
  made.digest = copy_text(made, path, [](std::string_view) {});
  return made;
}

struct ReadFile {
  RecordFile record;
  std::vector<MergedSegment> segments;
};

class Planner {
 public:
  explicit Planner(const std::vector<std::string>& files) : progress_("reading record files", files.size()) {
    plan_.files = files;
    // A pool of signatures spares reading the same ones again, and is nothing that the result needs.
    constexpr std::size_t kFilesAPool = 1000;
    for (std::size_t first = 0; first < files.size(); first += kFilesAPool)
      read(first, std::min(files.size(), first + kFilesAPool));
  }

  MergePlan finish() {
    if (plan_.segments.empty())
      throw bad_input(plan_.files.front() +
                      ": no file given holds a record; was the program ended before its first call?");
    std::sort(plan_.segments.begin(), plan_.segments.end(), [](const MergedSegment& a, const MergedSegment& b) {
      return std::tie(a.rank, a.started_at, a.digest) < std::tie(b.rank, b.started_at, b.digest);
    });
    return std::move(plan_);
  }

 private:
  void read(std::size_t first, std::size_t last) {
    SignaturePool pool;
    const auto make = [&](std::size_t i) { return read_file(first + i, pool); };
    in_order(last - first, make, [&](std::size_t, Made<ReadFile> made) { add(made.get()); });
  }

  ReadFile read_file(std::size_t i, SignaturePool& pool) const {
    const std::string& path = plan_.files[i];
    ReadFile file{read_record_file(path, pool), {}};
    if (!file.record.findings.errors.empty()) return file;
    for (const Segment& segment : file.record.segments) file.segments.push_back(merged(segment, i, path));
    return file;
  }

  void add(ReadFile file) {
    file.record.findings.throw_errors();
    launches_.add(file.record);
    if (!add_count(calls_, file.record.calls))
      throw bad_input(file.record.path +
                      ": its counts take the sum over all files beyond 2^63-1; a count there must be wrong");
    for (auto* kind : {&file.record.findings.damage, &file.record.findings.warnings})
      std::move(kind->begin(), kind->end(), std::back_inserter(plan_.warnings));
    std::move(file.segments.begin(), file.segments.end(), std::back_inserter(plan_.segments));
    progress_.advance();
  }

  MergePlan plan_;
  Launches launches_;
  std::uint64_t calls_ = 0;
  Progress progress_;
};

}  // namespace

MergePlan plan_merge(const std::vector<std::string>& files) { return Planner(files).finish(); }

void write_merged(const MergePlan& plan, const Sink& sink) {
  Progress progress("writing segments", plan.segments.size());
  for (const MergedSegment& segment : plan.segments) {
    const std::string& path = plan.files[segment.file];
    if (copy_text(segment, path, sink) != segment.digest) throw changed(path);
    progress.advance();
  }
}

}  // namespace opcov
