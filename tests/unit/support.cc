#include "support.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "report/report_json.h"

namespace opcov::test {

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "opcov_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempDir::path(const std::string& name) const {
  return name.empty() ? path_.string() : (path_ / name).string();
}

std::string TempDir::write(const std::string& name, std::string_view text) const {
  const std::string file = path(name);
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string golden(const std::string& name) { return std::string(TEST_GOLDEN_DIR) + "/" + name; }

std::string header(int rank, const std::string& more) {
  return "{\"record\":\"header\",\"format\":\"opcov-metadata\",\"version\":1,\"rank\":" + std::to_string(rank) + more +
         "}\n";
}

std::string signature_line(int id, const std::string& signature, const std::string& more) {
  return "{\"record\":\"signature\",\"id\":" + std::to_string(id) + ",\"signature\":" + signature + more + "}\n";
}

std::string calls_line(const std::string& calls) { return "{\"record\":\"calls\",\"calls\":{" + calls + "}}\n"; }

std::string where_line(const std::string& id, const std::string& place) {
  return "{\"record\":\"where\",\"id\":" + id + ",\"where\":" + place + "}\n";
}

std::string linear(int rows, const std::string& stage, const std::string& device) {
  const std::string where = device.empty() ? "" : ",\"device\":\"" + device + "\"";
  const auto tensor = [&](const std::string& shape, const std::string& stride) {
    return "{\"dtype\":\"torch.bfloat16\",\"shape\":" + shape + ",\"stride\":" + stride + where + "}";
  };
  const std::string input = tensor("[" + std::to_string(rows) + ",4]", "[4,1]");
  return "{\"args\":[" + input + "," + tensor("[4,4]", "[4,1]") +
         "],\"kwargs\":{},\"op\":\"aten.linear.default\",\"output\":" + input + ",\"stage\":\"" + stage + "\"}";
}

std::string report_json(const Coverage& coverage, const std::string& scope) {
  std::string text;
  write_report(coverage, scope, [&](std::string_view piece) { text += piece; });
  return text;
}

Outcome shell(const std::string& command, const std::string& folder) {
  const TempDir streams;
  const std::string script =
      streams.write("script", "cd '" + folder + "' || exit 99\nOPCOV='" TEST_OPCOV "'\n" + command);
  const std::string out = streams.path("out");
  const std::string err = streams.path("err");
  const int status = std::system(("sh '" + script + "' >'" + out + "' 2>'" + err + "' </dev/null").c_str());
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, read_file(out), read_file(err)};
}

}  // namespace opcov::test
