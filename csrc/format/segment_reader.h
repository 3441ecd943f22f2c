// Takes the lines of one segment of a record file, from its header on, and makes a Segment of them.
//
// Errors: add() and the constructor throw FormatError about the line given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "format/counts_reader.h"
#include "format/record.h"
#include "format/record_line.h"

namespace opcov {

class SegmentReader {
 public:
  SegmentReader(const RecordLine& header, std::size_t line_number, SignaturePool& pool);

  void add(const RecordLine& line, std::size_t line_number);

  bool ended() const { return segment_.ending == Ending::kClean; }

  /// The recorded process, where the header names it.
  std::optional<std::uint64_t> pid() const;

  /// Where no end line came: the counts that stand in the sidecar replace those of the calls lines.
  void use_counts(const Counts& counts, const std::string& counts_file, Findings& findings);

  /// The finished segment; says in `findings` where it ended without a clean end.
  Segment finish(const std::string& file, Findings& findings);

 private:
  void add_signature(const RecordLine& line);
  void add_calls(const RecordLine& line);
  void add_rank(const RecordLine& line);
  void add_raised(const RecordLine& line);
  void add_notice(const RecordLine& line);
  void add_end(const RecordLine& line);
  void note(const Notice& notice);

  SignaturePool& pool_;
  Segment segment_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_id_;  // in segment_.signatures
  std::size_t last_calls_line_ = 0;
};

}  // namespace opcov
