#include "snapshot/torch_archive.h"

#include <vector>

#include "format/format_error.h"
#include "snapshot/allowed_globals.h"
#include "snapshot/pickle_reader.h"
#include "snapshot/zip_directory.h"

namespace opcov {
namespace {

constexpr std::string_view kZip = "PK\3\4";
constexpr std::string_view kStorages = "data/";

void check_begin(const RandomAccessFile& file) {
  if (file.size() == 0) throw FormatError("is empty");
  const std::string begin = file.read(0, std::min<std::uint64_t>(file.size(), kZip.size()));
  if (begin == kZip) return;
  if (begin.starts_with('\x80'))
    throw FormatError("is in the format that torch.save wrote before version 1.6; load it and save it again");
  throw FormatError("is no file of torch.save's");
}

}  // namespace

TorchArchive::TorchArchive(const RandomAccessFile& file) : pickle_({}) {
  check_begin(file);
  const std::vector<ZipEntry> entries = read_zip_directory(file);
  if (entries.empty()) throw FormatError("holds nothing");
  // Everything is in one folder, which is named after the file that was saved.
  const std::string folder = entries[0].name.substr(0, entries[0].name.find('/') + 1);
  const ZipEntry* pickle = nullptr;
  bool is_script = false;
  for (const ZipEntry& entry : entries) {
    if (folder.empty() || !entry.name.starts_with(folder)) throw FormatError("is a zip file, but none of torch.save's");
    const std::string_view name = std::string_view(entry.name).substr(folder.size());
    if (name == "data.pkl") pickle = &entry;
    if (name == "constants.pkl") is_script = true;
    if (!name.starts_with(kStorages)) continue;
    if (!entry.stored) throw FormatError("is compressed, which torch.save never does; load it and save it again");
    storages_.emplace(name.substr(kStorages.size()), StoredBytes{entry.offset, entry.size});
  }
  if (is_script) throw FormatError("holds a TorchScript program; save the inputs of a call with torch.save");
  if (pickle == nullptr) throw FormatError("is a zip file, but none of torch.save's");
  if (!pickle->stored) throw FormatError("is compressed, which torch.save never does; load it and save it again");
  if (pickle->size > kLargestPickle) throw FormatError("its pickle is larger than 16 MiB; a snapshot holds one call");
  pickle_ = read_pickle(file.read(pickle->offset, pickle->size));
  check_globals(pickle_);
}

std::optional<std::uint64_t> TorchArchive::storage_bytes(std::string_view key) const {
  const auto found = storages_.find(key);
  if (found == storages_.end()) return std::nullopt;
  return found->second.bytes;
}

}  // namespace opcov
