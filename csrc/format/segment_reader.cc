#include "format/segment_reader.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "format/launches.h"
#include "format/notice_kinds.h"

namespace opcov {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kMostUnknownIds = 100;  // named one by one

std::optional<std::uint64_t> parse_id(const std::string& text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || std::to_string(id) != text) return std::nullopt;
  return id;
}

const Json& object_field(const RecordLine& line, const char* key) {
  const auto found = line.fields.find(key);
  if (found == line.fields.end() || !found->is_object())
    throw FormatError("the " + line.kind + " line has no object \"" + key + "\"");
  return *found;
}

std::uint64_t checked_count(const Json& value, const std::string& of) {
  const auto count = as_count(value);
  if (!count) throw FormatError("the count of " + of + " is no whole number from 0 to 2^63-1");
  return *count;
}

}  // namespace

SegmentReader::SegmentReader(const RecordLine& header, std::size_t line_number, SignaturePool& pool) : pool_(pool) {
  if (header.fields.value("format", Json()) != "opcov-metadata")
    throw FormatError("the header's format is not \"opcov-metadata\": this is no record file");
  const std::uint64_t version = header.count("version");
  if (version > kVersion)
    throw FormatError("format version " + std::to_string(version) + ", but this opcov reads up to version " +
                      std::to_string(kVersion) + "; use a newer opcov");
  if (version == 0) throw FormatError("there is no format version 0");
  segment_.line = line_number;
  segment_.rank = header.count("rank");
  if (header.fields.contains("world_size")) segment_.world_size = header.count("world_size");
  segment_.header = header.fields;
  segment_.launch = launch_of(segment_.header);
}

void SegmentReader::add(const RecordLine& line, std::size_t line_number) {
  using Handler = void (SegmentReader::*)(const RecordLine&);
  static const std::unordered_map<std::string, Handler> handlers = {
      {"signature", &SegmentReader::add_signature}, {"calls", &SegmentReader::add_calls},
      {"rank", &SegmentReader::add_rank},           {"raised", &SegmentReader::add_raised},
      {"notice", &SegmentReader::add_notice},       {"end", &SegmentReader::add_end},
      {"where", &SegmentReader::add_where},
  };
  const auto handler = handlers.find(line.kind);
  if (handler == handlers.end()) return;  // a newer writer's addition
  if (ended()) throw FormatError("a " + line.kind + " line after the end line; only a new header may follow that");
  (this->*handler->second)(line);
  if (line.kind == "calls") last_calls_line_ = line_number;
}

bool SegmentReader::add_plain(std::string_view line, std::size_t line_number) {
  if (ended()) return false;
  const auto plain = plain_signature_line(line);
  if (!plain) return plain_calls_line(line, plain_counts_) && add_plain_calls(line_number);
  const auto known = pool_.intern_plain(plain->signature);
  if (!known || !places_.add(plain->id)) return false;
  segment_.signatures.push_back({plain->id, 0, *known, plain->returns_input});
  return true;
}

bool SegmentReader::add_plain_calls(std::size_t line_number) {
  const auto is_known = [&](const auto& entry) { return places_.place_of(entry.first).has_value(); };
  if (!std::all_of(plain_counts_.begin(), plain_counts_.end(), is_known)) return false;
  for (const auto& [id, count] : plain_counts_) segment_.signatures[*places_.place_of(id)].calls = count;
  last_calls_line_ = line_number;
  return true;
}

void SegmentReader::add_signature(const RecordLine& line) {
  const std::uint64_t id = line.count("id");
  if (line.signature.empty()) throw FormatError("the signature line has no \"signature\"");
  const Json returns_input = line.fields.value("returns_input", Json(false));
  if (!returns_input.is_boolean()) throw FormatError("\"returns_input\" is neither true nor false");
  if (places_.place_of(id)) throw FormatError("a second signature with id " + std::to_string(id));
  segment_.signatures.push_back({id, 0, pool_.intern(line.signature), returns_input.get<bool>()});
  places_.add(id);
}

void SegmentReader::add_where(const RecordLine& line) {
  const std::uint64_t id = line.count("id");
  const auto place = places_.place_of(id);
  if (!place) throw FormatError("a place for id " + std::to_string(id) + ", which no signature line before has");
  if (located_.size() <= *place) located_.resize(segment_.signatures.size());
  if (located_[*place]) throw FormatError("a second place for id " + std::to_string(id));
  located_[*place] = true;
  CallPlace where = read_place(object_field(line, "where"));
  if (where.is_known()) segment_.places.push_back({segment_.signatures[*place].signature, std::move(where)});
}

void SegmentReader::add_calls(const RecordLine& line) {
  for (const auto& [key, value] : object_field(line, "calls").items()) {
    const auto id = parse_id(key);
    if (!id) throw FormatError("\"" + key + "\" in the calls line is no signature id");
    const auto place = places_.place_of(*id);
    if (!place) throw FormatError("counts for id " + key + ", which no signature line before has");
    segment_.signatures[*place].calls = checked_count(value, "id " + key);
  }
}

void SegmentReader::add_rank(const RecordLine& line) {
  segment_.rank = line.count("rank");
  if (line.fields.contains("world_size")) segment_.world_size = line.count("world_size");
}

void SegmentReader::add_raised(const RecordLine& line) {
  for (const auto& [op, value] : object_field(line, "ops").items()) segment_.raised[op] = checked_count(value, op);
}

void SegmentReader::add_notice(const RecordLine& line) {
  const Json kind = line.fields.value("kind", Json());
  const Json text = line.fields.value("text", Json(""));
  if (!kind.is_string() || !text.is_string()) throw FormatError("the notice line's \"kind\" or \"text\" is no string");
  const std::uint64_t count = line.fields.contains("count") ? line.count("count") : 1;
  note({kind.get<std::string>(), count, text.get<std::string>()});
}

void SegmentReader::note(const Notice& notice) {
  const auto same = std::find_if(segment_.notices.begin(), segment_.notices.end(), [&](const Notice& known) {
    return known.kind == notice.kind && known.text == notice.text;
  });
  if (same != segment_.notices.end())
    same->count = notice.count;
  else
    segment_.notices.push_back(notice);
}

void SegmentReader::add_end(const RecordLine& line) {
  segment_.unrecorded = line.fields.contains("unrecorded") ? line.count("unrecorded") : 0;
  const Json clean = line.fields.value("clean", Json(true));
  if (!clean.is_boolean()) throw FormatError("the end line's \"clean\" is neither true nor false");
  segment_.ending = clean.get<bool>() ? Ending::kClean : Ending::kSidecar;
  segment_.has_end_line = true;
}

std::optional<std::uint64_t> SegmentReader::pid() const { return as_count(segment_.header.value("pid", Json())); }

void SegmentReader::use_counts(const Counts& counts, const std::string& counts_file, Findings& findings) {
  segment_.ending = Ending::kSidecar;
  segment_.unrecorded = counts.undescribed;
  if (counts.overflow > 0) note({kOverflowKind, counts.overflow, kOverflowText});
  for (SignatureCalls& entry : segment_.signatures) entry.calls = 0;
  std::size_t unknown = 0;
  for (const auto& [id, calls] : counts.calls) {
    if (const auto place = places_.place_of(id))
      segment_.signatures[*place].calls = calls;
    else if (++unknown <= kMostUnknownIds)
      findings.damage.push_back({counts_file, 0,
                                 std::to_string(calls) + " calls of id " + std::to_string(id) +
                                     ", which no signature line of the record has; left out"});
  }
  if (unknown > kMostUnknownIds)
    findings.damage.push_back({counts_file, 0,
                               "calls of " + std::to_string(unknown - kMostUnknownIds) +
                                   " more ids that no signature line of the record has; left out"});
}

Segment SegmentReader::finish(const std::string& file, Findings& findings) {
  if (segment_.ending == Ending::kSidecar && ended())
    findings.warnings.push_back({file, segment_.line,
                                 "the program of the segment that begins here was killed, or still ran when its record "
                                 "was merged; its counts are those of its sidecar then"});
  if (segment_.ending == Ending::kSidecar && !ended())
    findings.warnings.push_back(
        {file, 0, "no end line: the program was killed or still runs; counts are from the sidecar"});
  if (segment_.ending == Ending::kCut && last_calls_line_ > 0)
    findings.warnings.push_back(
        {file, last_calls_line_,
         "no end line and no counts sidecar to go by: counts are those of this last calls line, later "
         "calls are missing"});
  if (segment_.ending == Ending::kCut && last_calls_line_ == 0)
    findings.warnings.push_back(
        {file, segment_.line,
         "no end line, no counts sidecar to go by and no calls line: the calls of this segment are "
         "unknown and count as none"});
  return std::move(segment_);
}

}  // namespace opcov
