#include "snapshot/zip_writer.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/write_all.h"
#include "snapshot/crc32.h"

namespace opcov {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the value stands in a zip64 record
constexpr std::uint16_t kMostEntries = 0xFFFE;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
constexpr std::uint32_t kFirstOf1980 = 0x00210000;  // the first date that there is, so that equal calls are equal files

class Fields {
 public:
  Fields& u16(std::uint16_t value) { return add(value, 2); }
  Fields& u32(std::uint32_t value) { return add(value, 4); }
  Fields& u64(std::uint64_t value) { return add(value, 8); }
  Fields& text(std::string_view bytes) { return bytes_ += bytes, *this; }
  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  Fields& add(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  std::string bytes_;
};

std::uint16_t u16(std::size_t value) { return static_cast<std::uint16_t>(value); }

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  written_ += bytes.size();
  if (write_all(fd_, bytes) < bytes.size()) throw failure(path_ + ": cannot write: " + std::strerror(errno));
}

std::string ZipWriter::local_header(const Entry& entry) const {
  Fields extra;
  const bool large = !fits(entry.size);
  if (large) extra.u16(1).u16(16).u64(entry.size).u64(entry.size);
  const std::size_t before = entry.offset + kLocalBytes + entry.name.size() + extra.size() + 4;
  const std::size_t padding = (kAlignment - before % kAlignment) % kAlignment;
  extra.text("FB").u16(u16(padding)).text(std::string(padding, 'Z'));
  const std::uint32_t size = large ? kIn64 : static_cast<std::uint32_t>(entry.size);
  Fields header;
  header.text("PK\3\4").u16(large ? kVersion64 : kVersion).u16(0).u16(0).u32(kFirstOf1980).u32(entry.crc);
  header.u32(size).u32(size).u16(u16(entry.name.size())).u16(u16(extra.size()));
  return header.text(entry.name).text(extra.bytes()).bytes();
}

std::string ZipWriter::directory_record(const Entry& entry) const {
  Fields values;
  if (!fits(entry.size)) values.u64(entry.size).u64(entry.size);
  if (!fits(entry.offset)) values.u64(entry.offset);
  Fields extra;
  if (values.size() > 0) extra.u16(1).u16(u16(values.size())).text(values.bytes());
  const std::uint32_t size = fits(entry.size) ? static_cast<std::uint32_t>(entry.size) : kIn64;
  const std::uint16_t version = values.size() > 0 ? kVersion64 : kVersion;
  Fields record;
  record.text("PK\1\2").u16(version).u16(version).u16(0).u16(0).u32(kFirstOf1980).u32(entry.crc).u32(size).u32(size);
  record.u16(u16(entry.name.size())).u16(u16(extra.size())).u16(0).u16(0).u16(0).u32(0);
  record.u32(fits(entry.offset) ? static_cast<std::uint32_t>(entry.offset) : kIn64);
  return record.text(entry.name).text(extra.bytes()).bytes();
}

std::string ZipWriter::end_records(std::uint64_t directory_at, std::uint64_t directory_bytes) const {
  const std::size_t entries = entries_.size();
  Fields end;
  if (!fits(directory_at) || !fits(directory_bytes) || entries > kMostEntries) {
    end.text("PK\6\6").u64(44).u16(kVersion64).u16(kVersion64).u32(0).u32(0).u64(entries).u64(entries);
    end.u64(directory_bytes).u64(directory_at);
    end.text("PK\6\7").u32(0).u64(directory_at + directory_bytes).u32(1);
  }
  const std::uint16_t few = entries > kMostEntries ? u16(0xFFFF) : u16(entries);
  end.text("PK\5\6").u16(0).u16(0).u16(few).u16(few);
  end.u32(fits(directory_bytes) ? static_cast<std::uint32_t>(directory_bytes) : kIn64);
  end.u32(fits(directory_at) ? static_cast<std::uint32_t>(directory_at) : kIn64).u16(0);
  return end.bytes();
}

void ZipWriter::add(const std::string& name, const std::vector<std::string_view>& pieces) {
  Entry entry{name, 0, written_, 0};
  for (const std::string_view piece : pieces) {
    entry.size += piece.size();
    entry.crc = crc32(entry.crc, piece);
  }
  write(local_header(entry));
  for (const std::string_view piece : pieces) write(piece);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint64_t directory_at = written_;
  for (const Entry& entry : entries_) write(directory_record(entry));
  write(end_records(directory_at, written_ - directory_at));
}

}  // namespace opcov
