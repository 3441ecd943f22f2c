// The directory of a zip file, read without trusting it: which entries there are and where their bytes lie.
//
// Of our own, because torch.save stores entries uncompressed, so that finding them is all there is to do: a library
// would bring inflate, decryption and writing within reach of hostile files, and one more dependency to every wheel.
// Only what can be understood in one way is accepted: the directory stands directly before its end record, entries
// neither overlap nor share a name, and their local headers agree with it. CRCs are not checked, since torch.save may
// be told to write others (torch.serialization.set_crc32_options).
//
// Errors: FormatError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snapshot/random_access_file.h"

namespace opcov {

struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;    // uncompressed
  std::uint64_t offset = 0;  // of its bytes in the file
  bool stored = true;        // else compressed
};

/// The directory of a file without a snapshot's kind of contents may be huge; one that is larger is refused unread.
inline constexpr std::uint64_t kLargestZipDirectory = 16 << 20;

/// In the directory's order.
std::vector<ZipEntry> read_zip_directory(const RandomAccessFile& file);

}  // namespace opcov
