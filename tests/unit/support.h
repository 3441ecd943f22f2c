// What the unit tests share: folders of their own, record lines, and the built executable.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/coverage.h"

namespace opcov::test {

/// A folder of this test's own, gone at its end.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  std::string path(const std::string& name = "") const;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::string& path);
std::string golden(const std::string& name);

// Lines of a record file, newline included.
std::string header(int rank = 0, const std::string& more = "");
std::string signature_line(int id, const std::string& signature, const std::string& more = "");
std::string calls_line(const std::string& calls);
std::string where_line(const std::string& id, const std::string& place);
inline const std::string kEnd = "{\"record\":\"end\",\"unrecorded\":0}\n";

/// A call of aten.linear.default on a tensor of `rows` rows.
std::string linear(int rows, const std::string& stage = "dit", const std::string& device = "cuda:0");

/// The report as one text.
std::string report_json(const Coverage& coverage, const std::string& scope);

struct Outcome {
  int status;  // of exit; 128 plus the signal
  std::string out;
  std::string err;
};

/// Runs a shell command in `folder`; $OPCOV is the built executable.
Outcome shell(const std::string& command, const std::string& folder);

}  // namespace opcov::test
