// `opcov run -- CMD`: runs a program with recording on, then summarises what this run recorded.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/settings.h"
#include "cli/child_process.h"
#include "cli/command.h"
#include "cli/file_birth.h"
#include "cli/terminal.h"
#include "format/record_files.h"
#include "report/load.h"
#include "report/scope_text.h"
#include "report/summary.h"

namespace opcov {
namespace {

constexpr const char* kNothing =
    "opcov: nothing was recorded in %s. Check:\n"
    "  - does the program load the recorder? A Python program needs opcov installed in its own environment (python -c\n"
    "    'import opcov'), and TORCH_DEVICE_BACKEND_AUTOLOAD must not be 0; a C++ program has to link opcov::opcov\n"
    "  - does it call any of the operators asked for (OPCOV_OPS, --ops)? --ops 'aten::*' records them all\n";

std::set<FileBirth> births(const std::vector<std::string>& files) {
  std::set<FileBirth> all;
  for (const std::string& file : files) all.insert(file_birth(file));
  return all;
}

// The recorder makes the folder and those above it; where it cannot, that is better known before the run.
void check_folder(const std::string& dir) {
  namespace fs = std::filesystem;
  if (dir.empty()) throw bad_input("run: --dir got an empty name; give a folder, or leave --dir out");
  fs::path nearest = fs::absolute(dir);
  std::error_code code;
  while (nearest.has_relative_path() && !fs::exists(nearest, code)) nearest = nearest.parent_path();
  if (!fs::is_directory(nearest, code))
    throw bad_input(dir + ": record files cannot go there: " + nearest.string() + " is no folder; give another --dir");
  if (access(nearest.c_str(), W_OK | X_OK) != 0)
    throw bad_input(dir + ": record files cannot go there: " + nearest.string() + ": " + std::strerror(errno) +
                    "; give another --dir");
}

class RunCommand : public Command {
 public:
  explicit RunCommand(CLI::App& parent)
      : Command(parent.add_subcommand("run", "Run a program with recording on and summarise: opcov run -- CMD...")) {
    app().add_option("--dir", dir_, "Folder for the record files (OPCOV_DIR)")->type_name("DIR");
    app().add_option("--ops", ops_, "Operators to record (OPCOV_OPS)")->type_name("LIST");
    app().footer("The exit status is that of CMD, 128 plus the signal where a signal ended it.");
    add_example("opcov run --ops @gemm -- python app.py");
  }

  void set_rest(std::vector<std::string> rest) override { command_ = std::move(rest); }

  int run() override {
    if (command_.empty()) throw bad_input("run: no program given; write opcov run [OPTIONS] -- CMD...");
    const std::string dir = parsed_settings().dir;
    check_folder(app().count("--dir") > 0 ? dir_ : dir);
    const std::set<FileBirth> before = births(record_files_in(dir));
    const int status = run_child(command_, environment(dir)).status;
    try {
      summarise(dir, before);
    } catch (const std::exception& error) {  // the program's own status stands
      print_error(error.what());
    }
    return status;
  }

 private:
  // Checked here as the recorder will check it, so that a typing error does not cost a run.
  Config parsed_settings() const {
    Settings settings = settings_from_environment();
    settings.emplace_back("OPCOV", "1");
    if (!dir_.empty()) settings.emplace_back("OPCOV_DIR", dir_);
    if (!ops_.empty()) settings.emplace_back("OPCOV_OPS", ops_);
    try {
      return parse_settings(settings);
    } catch (const std::invalid_argument& error) {
      throw bad_input(error.what());
    }
  }

  Settings environment(const std::string& dir) const {
    // Absolute, since the program may change its working folder.
    Settings settings = {{"OPCOV", "1"}, {"OPCOV_DIR", std::filesystem::absolute(dir).string()}};
    if (!ops_.empty()) settings.emplace_back("OPCOV_OPS", ops_);
    return settings;
  }

  static void summarise(const std::string& dir, const std::set<FileBirth>& before) {
    std::vector<std::string> files = record_files_in(dir);
    std::erase_if(files, [&](const std::string& file) { return before.contains(file_birth(file)); });
    if (files.empty()) {
      std::fprintf(stderr, kNothing, dir.c_str());
      return;
    }
    const Loaded loaded = load_coverage(files, {});
    print_warnings(loaded.warnings);
    const std::string text = summary_text(loaded.coverage, {.style = style_of(STDERR_FILENO)});
    std::fprintf(stderr, "\n%s\nRecords are in %s\n", text.c_str(), dir.c_str());
    if (!before.empty())
      std::fprintf(stderr, "(left out: %s of earlier runs there)\n", counted(before.size(), "record file").c_str());
  }

  std::string dir_;
  std::string ops_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Command> make_run_command(CLI::App& parent) { return std::make_unique<RunCommand>(parent); }

}  // namespace opcov
