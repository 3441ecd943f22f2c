// Takes the lines of one segment of a record file, from its header on, and makes a Segment of them.
//
// Errors: add() and the constructor throw FormatError about the line given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/counts_reader.h"
#include "format/places_of_ids.h"
#include "format/plain_lines.h"
#include "format/record.h"
#include "format/record_line.h"

namespace opcov {

class SegmentReader {
 public:
  SegmentReader(const RecordLine& header, std::size_t line_number, SignaturePool& pool);

  void add(const RecordLine& line, std::size_t line_number);

  /// The quick way for a line that is plainly sound (plain_lines.h). False: nothing was added, it has to be parsed.
  bool add_plain(std::string_view line, std::size_t line_number);

  bool ended() const { return segment_.has_end_line; }

  /// The recorded process, where the header names it.
  std::optional<std::uint64_t> pid() const;

  /// Where no end line came: the counts that stand in the sidecar replace those of the calls lines.
  void use_counts(const Counts& counts, const std::string& counts_file, Findings& findings);

  /// The finished segment; says in `findings` where it ended without a clean end.
  Segment finish(const std::string& file, Findings& findings);

 private:
  bool add_plain_calls(std::size_t line_number);
  void add_signature(const RecordLine& line);
  void add_where(const RecordLine& line);
  void add_calls(const RecordLine& line);
  void add_rank(const RecordLine& line);
  void add_raised(const RecordLine& line);
  void add_notice(const RecordLine& line);
  void add_end(const RecordLine& line);
  void note(const Notice& notice);

  SignaturePool& pool_;
  Segment segment_;
  PlacesOfIds places_;         // in segment_.signatures
  std::vector<bool> located_;  // those of segment_.signatures whose `where` line came
  PlainCounts plain_counts_;
  std::size_t last_calls_line_ = 0;
};

}  // namespace opcov
