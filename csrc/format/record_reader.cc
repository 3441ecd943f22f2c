#include "format/record_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "base/line_reader.h"
#include "base/printable.h"
#include "format/count_sum.h"
#include "format/counts_reader.h"
#include "format/segment_reader.h"

namespace opcov {
namespace {

constexpr std::size_t kMostErrors = 100;

class FileReader {
 public:
  FileReader(const std::string& path, SignaturePool& pool) : pool_(pool), counts_file_(counts_path(path)) {
    file_.path = path;
    // Before the record, so that of a file that still grows every id counted here has its signature line there.
    try {
      if (!counts_file_.empty()) counts_ = read_counts(counts_file_);
    } catch (const FormatError& error) {
      counts_error_ = error.what();
    }
  }

  RecordFile read() {
    LineReader lines(file_.path);
    std::string_view line;
    while (!stopped_ && lines.next(line)) {
      line_begin_ = line_end_;
      line_end_ = lines.offset();
      take(line, lines.line_number(), lines.terminated());
    }
    // What is no record may be terabytes of something else.
    if (!stopped_) file_.sha256 = lines.sha256();
    if (file_.segments.empty() && !segment_ && file_.findings.errors.empty())
      file_.findings.warnings.push_back({file_.path, 0, "holds no record: its program ended before it wrote a header"});
    end_segment(line_end_, /*last=*/true);
    return std::move(file_);
  }

 private:
  void take(std::string_view text, std::size_t number, bool terminated) {
    if (segment_ && segment_->add_plain(text, number)) return;
    const std::string hint = segment_ ? "" : "; a record file begins with its header";
    RecordLine line;
    try {
      line = parse_record_line(text);
    } catch (const FormatError& error) {
      // A torn header begins as a whole one does.
      const bool torn = !terminated && (segment_ || text.starts_with('{'));
      if (!torn) return add_error(number, error.what() + hint);
      file_.findings.warnings.push_back({file_.path, number, "torn last line, left out"});
      line_end_ = line_begin_;
      return;
    }
    try {
      if (line.kind == "header") {
        end_segment(line_begin_, /*last=*/false);
        segment_.emplace(line, number, pool_);
        segment_begin_ = line_begin_;
      } else if (segment_) {
        segment_->add(line, number);
      } else {
        throw FormatError("a " + line.kind + " line before any header" + hint);
      }
    } catch (const FormatError& error) {
      add_error(number, error.what());
    }
  }

  void add_error(std::size_t number, const std::string& text) {
    file_.findings.errors.push_back({file_.path, number, shortened(text)});
    if (!segment_) stopped_ = true;  // outside a segment nothing after it can be understood
    if (file_.findings.errors.size() < kMostErrors) return;
    file_.findings.errors.push_back({file_.path, number, "too much is wrong; the rest was not checked"});
    stopped_ = true;
  }

  void end_segment(std::uint64_t end, bool last) {
    if (!segment_) return;
    // A sidecar belongs to the one recording of its file; in a file of several segments it belongs to none of them.
    if (last && !segment_->ended() && file_.segments.empty() && !stopped_) use_sidecar();
    file_.segments.push_back(segment_->finish(file_.path, file_.findings));
    file_.segments.back().begin = segment_begin_;
    file_.segments.back().end = end;
    segment_.reset();
    add_up(file_.segments.back());
  }

  void add_up(const Segment& segment) {
    for (const SignatureCalls& entry : segment.signatures)
      if (!add_count(file_.calls, entry.calls))
        return file_.findings.errors.push_back(
            {file_.path, segment.line,
             "the counts of the segment that begins here take the sum over the file beyond 2^63-1; one must be wrong"});
  }

  void use_sidecar() {
    if (counts_ && segment_->pid() && *segment_->pid() != counts_->pid)
      counts_error_ = "belongs to process " + std::to_string(counts_->pid) +
                      ", the record beside it to another; remove it to fall back on the record's last calls line";
    if (!counts_error_.empty())
      file_.findings.errors.push_back({counts_file_, 0, counts_error_});
    else if (counts_)
      segment_->use_counts(*counts_, counts_file_, file_.findings);
  }

  SignaturePool& pool_;
  RecordFile file_;
  std::optional<SegmentReader> segment_;
  std::string counts_file_;
  std::optional<Counts> counts_;
  std::string counts_error_;
  std::uint64_t line_begin_ = 0;  // in the file, of the line at hand
  std::uint64_t line_end_ = 0;
  std::uint64_t segment_begin_ = 0;
  bool stopped_ = false;
};

}  // namespace

RecordFile read_record_file(const std::string& path, SignaturePool& pool) { return FileReader(path, pool).read(); }

}  // namespace opcov
