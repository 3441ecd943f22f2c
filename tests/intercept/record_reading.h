// Reads back what a test recorded, without the project's own reader.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace opcov::test {

/// A folder of its own for one test, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::string& path() const { return path_; }
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

struct Record {
  std::vector<nlohmann::json> lines;
  std::map<std::string, std::uint64_t> calls;  // by "stage op"
  bool ended = false;
  nlohmann::json only(const std::string& kind) const;  // the one line of this kind; null where there is none
  nlohmann::json last(const std::string& kind) const;  // the last of them
};

Record read_record(const std::string& path);

}  // namespace opcov::test
