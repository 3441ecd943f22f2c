#include "record_reading.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace opcov::test {

// Plain POSIX: libtorch.so exports a std::filesystem of another compiler.
TemporaryFolder::TemporaryFolder() : path_("/tmp/opcov-test-XXXXXX") { EXPECT_NE(mkdtemp(path_.data()), nullptr); }

TemporaryFolder::~TemporaryFolder() {
  for (const std::string& name : files()) unlink((path_ + "/" + name).c_str());
  rmdir(path_.c_str());
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  DIR* folder = opendir(path_.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  closedir(folder);
  return names;
}

nlohmann::json Record::only(const std::string& kind) const {
  nlohmann::json found;
  for (const auto& line : lines)
    if (line.at("record") == kind) {
      EXPECT_TRUE(found.is_null()) << "two lines of kind " << kind;
      found = line;
    }
  return found;
}

nlohmann::json Record::last(const std::string& kind) const {
  nlohmann::json found;
  for (const auto& line : lines)
    if (line.at("record") == kind) found = line;
  return found;
}

Record read_record(const std::string& path) {
  Record record;
  std::map<std::string, std::string> names;
  std::map<std::string, std::uint64_t> counts;
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  for (std::string text; std::getline(in, text);) {
    const auto line = nlohmann::json::parse(text);
    const std::string kind = line.at("record");
    if (kind == "signature") {
      const auto& signature = line.at("signature");
      names[std::to_string(line.at("id").get<int>())] =
          signature.at("stage").get<std::string>() + " " + signature.at("op").get<std::string>();
    }
    if (kind == "calls")
      for (const auto& [id, n] : line.at("calls").items()) counts[id] = n;
    record.ended |= kind == "end";
    record.lines.push_back(line);
  }
  for (const auto& [id, n] : counts) record.calls[names.at(id)] += n;
  return record;
}

}  // namespace opcov::test
