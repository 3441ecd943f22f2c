// Snapshots by hand, for files that torch.save would not write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opcov::test {

/// A number in little-endian bytes.
std::string bytes_of(std::uint64_t value, int bytes);

// Parts of a pickle.
std::string pickled_text(const std::string& text);
std::string pickled_int(std::int32_t value);
std::string pickled_tuple(const std::vector<std::string>& items);
std::string pickled_global(const std::string& module, const std::string& name);
std::string pickled_storage(std::int32_t elements, const std::string& key = "0");
std::string pickled_tensor(const std::string& storage, std::int32_t offset, const std::vector<std::int32_t>& shape,
                           const std::vector<std::int32_t>& stride);

/// {"args": (..), "kwargs": {}} as a whole pickle.
std::string pickled_call(const std::vector<std::string>& args);

/// The same with an "op".
std::string pickled_call_of(const std::string& op, const std::vector<std::string>& args);

struct ZipPart {
  std::string name;
  std::string data;
  std::string name_in_its_header = name;
  std::uint64_t size = data.size();  // as the directory says
  std::uint64_t compressed = size;
  int method = 0;
  int flags = 0;
  std::string extra = {};    // in the directory
  std::int64_t offset = -1;  // as the directory says; -1: where it is
};

/// A zip file of these parts; `behind` goes between the directory and its end record.
std::string zip_of(const std::vector<ZipPart>& parts, const std::string& behind = "", const std::string& comment = "");

/// A snapshot with this pickle and a storage of 96 bytes.
std::string snapshot_of(const std::string& pickle);

}  // namespace opcov::test
