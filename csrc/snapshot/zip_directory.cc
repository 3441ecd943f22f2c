#include "snapshot/zip_directory.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "format/format_error.h"

namespace opcov {
namespace {

constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLongestComment = 0xFFFF;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // the value stands in a zip64 record

template <typename T>
T field(std::string_view record, std::size_t at) {
  if (at + sizeof(T) > record.size()) throw FormatError("a record of its zip directory is cut short");
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;)
    value = static_cast<T>(value << 8U | static_cast<unsigned char>(record[at + i]));
  return value;
}
std::uint16_t u16(std::string_view record, std::size_t at) { return field<std::uint16_t>(record, at); }
std::uint32_t u32(std::string_view record, std::size_t at) { return field<std::uint32_t>(record, at); }
std::uint64_t u64(std::string_view record, std::size_t at) { return field<std::uint64_t>(record, at); }

bool is(std::string_view record, std::string_view signature) { return record.substr(0, 4) == signature; }
constexpr std::string_view kEndSignature = "PK\5\6";
constexpr std::string_view kLocatorSignature = "PK\6\7";
constexpr std::string_view kEnd64Signature = "PK\6\6";
constexpr std::string_view kCentralSignature = "PK\1\2";
constexpr std::string_view kLocalSignature = "PK\3\4";

// Where the directory lies, from the records behind it.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
};

void refuse_parts(bool several) {
  if (several) throw FormatError("is one part of a zip file in several parts");
}

Extent read_end64(const RandomAccessFile& file, std::string_view locator, std::uint64_t locator_at,
                  std::uint64_t& directory_end) {
  refuse_parts(u32(locator, 4) != 0 || u32(locator, 16) > 1);
  directory_end = u64(locator, 8);
  if (directory_end > locator_at || locator_at - directory_end < kEnd64Bytes)
    throw FormatError("its zip64 end record is not where its locator says");
  const std::string end = file.read(directory_end, kEnd64Bytes);
  if (!is(end, kEnd64Signature)) throw FormatError("its zip64 end record is not where its locator says");
  refuse_parts(u32(end, 16) != 0 || u32(end, 20) != 0 || u64(end, 24) != u64(end, 32));
  return {u64(end, 48), u64(end, 40), u64(end, 32)};
}

// A value beside its zip64 form: the same, or the mark that it stands there.
bool agrees(std::uint64_t value, std::uint64_t value64, std::uint64_t mark) {
  return value == mark || value == value64;
}

Extent find_directory(const RandomAccessFile& file) {
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(file.size(), kEndBytes + kLongestComment);
  const std::uint64_t tail_at = file.size() - tail_bytes;
  const std::string tail = file.read(tail_at, tail_bytes);
  std::size_t at = tail.rfind(kEndSignature);
  // The last one whose comment ends where the file does: a comment may hold the signature too.
  while (at != std::string::npos &&
         (tail.size() - at < kEndBytes || at + kEndBytes + u16(tail, at + 20) != tail.size()))
    at = at == 0 ? std::string::npos : tail.rfind(kEndSignature, at - 1);
  if (at == std::string::npos) throw FormatError("has no end of a zip directory: it was cut short, or is no zip file");

  const std::string_view end = std::string_view(tail).substr(at);
  refuse_parts(u16(end, 4) != 0 || u16(end, 6) != 0 || u16(end, 8) != u16(end, 10));
  Extent extent{u32(end, 16), u32(end, 12), u16(end, 10)};
  std::uint64_t directory_end = tail_at + at;
  if (directory_end >= kLocatorBytes) {
    const std::uint64_t locator_at = directory_end - kLocatorBytes;
    const std::string locator = file.read(locator_at, kLocatorBytes);
    if (is(locator, kLocatorSignature)) {
      const Extent large = read_end64(file, locator, locator_at, directory_end);
      if (!agrees(extent.offset, large.offset, kIn64) || !agrees(extent.bytes, large.bytes, kIn64) ||
          !agrees(extent.entries, large.entries, 0xFFFF))
        throw FormatError("its two end records say different things");
      extent = large;
    }
  }
  if (extent.offset > directory_end || directory_end - extent.offset != extent.bytes)
    throw FormatError("its zip directory is not where its end record says");
  if (extent.bytes > kLargestZipDirectory) throw FormatError("its zip directory is larger than 16 MiB");
  return extent;
}

// Sizes and offset that did not fit into 32 bits stand in an extra field, in this order.
void read_zip64(std::string_view extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& offset) {
  if (size != kIn64 && packed != kIn64 && offset != kIn64) return;
  while (!extra.empty()) {
    const std::size_t bytes = u16(extra, 2);
    if (bytes + 4 > extra.size()) throw FormatError("an extra field of its zip directory is cut short");
    if (u16(extra, 0) == 1) {
      const std::string_view values = extra.substr(4, bytes);
      std::size_t at = 0;
      for (std::uint64_t* value : {&size, &packed, &offset}) {
        if (*value != kIn64) continue;
        *value = u64(values, at);
        at += 8;
      }
      return;
    }
    extra.remove_prefix(bytes + 4);
  }
  throw FormatError("an entry of its zip directory lacks its zip64 sizes");
}

// The entry at the front of `directory`, which moves behind it; its offset is still that of the local header.
ZipEntry read_central(std::string_view& directory) {
  if (!is(directory, kCentralSignature)) throw FormatError("its zip directory is damaged");
  const std::size_t name_bytes = u16(directory, 28);
  const std::size_t extra_bytes = u16(directory, 30);
  const std::size_t comment_bytes = u16(directory, 32);
  const std::size_t record_bytes = kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  if (record_bytes > directory.size()) throw FormatError("its zip directory is damaged");
  const std::string_view record = directory.substr(0, record_bytes);
  directory.remove_prefix(record_bytes);

  ZipEntry entry;
  entry.name = record.substr(kCentralBytes, name_bytes);
  entry.size = u32(record, 24);
  entry.offset = u32(record, 42);
  entry.stored = u16(record, 10) == 0;
  std::uint64_t packed = u32(record, 20);
  read_zip64(record.substr(kCentralBytes + name_bytes, extra_bytes), entry.size, packed, entry.offset);
  refuse_parts(u16(record, 34) != 0);
  if ((u16(record, 8) & 1U) != 0) throw FormatError("is encrypted");
  if (entry.stored && packed != entry.size) throw FormatError("an entry of its zip directory has two sizes");
  if (!entry.stored) entry.size = packed;  // what it takes in the file; nothing of it is read
  return entry;
}

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  bool operator<(const Range& other) const { return begin < other.begin; }
};

// Finds the entry's bytes behind its local header, which has to agree with the directory.
Range locate(const RandomAccessFile& file, ZipEntry& entry, std::uint64_t directory_at) {
  const std::uint64_t header_at = entry.offset;
  const std::size_t header_bytes = kLocalBytes + entry.name.size();
  if (header_at > directory_at || directory_at - header_at < header_bytes)
    throw FormatError("an entry lies outside of the file");
  const std::string header = file.read(header_at, header_bytes);
  if (!is(header, kLocalSignature) || u16(header, 26) != entry.name.size() ||
      std::string_view(header).substr(kLocalBytes) != entry.name || (u16(header, 8) == 0) != entry.stored)
    throw FormatError("an entry's own header and its zip directory say different things");
  entry.offset = header_at + header_bytes + u16(header, 28);
  if (entry.offset > directory_at || directory_at - entry.offset < entry.size)
    throw FormatError("an entry lies outside of the file");
  return {header_at, entry.offset + entry.size};
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const RandomAccessFile& file) {
  const Extent extent = find_directory(file);
  const std::string bytes = file.read(extent.offset, extent.bytes);
  std::vector<ZipEntry> entries;
  std::vector<Range> ranges;
  std::set<std::string> names;
  for (std::string_view rest = bytes; !rest.empty();) {
    ZipEntry entry = read_central(rest);
    if (!names.insert(entry.name).second) throw FormatError("its zip directory names one entry twice");
    ranges.push_back(locate(file, entry, extent.offset));
    entries.push_back(std::move(entry));
  }
  if (entries.size() != extent.entries)
    throw FormatError("its zip directory holds another number of entries than said");
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end) throw FormatError("two of its entries overlap");
  return entries;
}

}  // namespace opcov
