// `opcov verify`: does each file keep to the record format? Names file and line of what does not.
#include "base/in_order.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "format/count_sum.h"
#include "format/indented_json.h"
#include "format/record_files.h"
#include "format/record_reader.h"
#include "report/verdict.h"

namespace opcov {
namespace {

class VerifyCommand : public Command {
 public:
  explicit VerifyCommand(CLI::App& parent)
      : Command(parent.add_subcommand("verify", "Check record files against the format")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    app().add_flag("--json", json_, "Write JSON");
    add_example("opcov verify opcov-records");
  }

  int run() override {
    const std::vector<std::string> paths = find_record_files(records_);
    if (json_) {
      for (const std::string& path : paths) check_json_name(path);
      json_text_.add(R"({"format":"opcov-verify","version":1,"files":[)");
    }
    SignaturePool pool;
    Progress progress("checking record files", paths.size());
    const auto read = [&](std::size_t i) { return read_record_file(paths[i], pool); };
    in_order(paths.size(), read, [&](std::size_t i, Made<RecordFile> made) {
      progress.beside([&] { verify(paths[i], std::move(made)); });
      progress.advance();
    });
    if (json_) end_json();
    return static_cast<int>(code_);
  }

 private:
  void verify(const std::string& path, Made<RecordFile> made) {
    try {
      tell(made.get());
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      print_error(error.what());
      if (json_) add_json(unreadable_json(path, error));
      code_ = ExitCode::kBadInput;
    }
  }

  void tell(RecordFile file) {
    Findings& findings = file.findings;
    if (!add_count(calls_, file.calls))
      findings.errors.push_back(
          {file.path, 0, "its counts take the sum over all files beyond 2^63-1; one must be wrong"});
    if (json_)
      add_json(verdict_json(file));
    else
      print_text(file);
    if (code_ == ExitCode::kDone && !(findings.errors.empty() && findings.damage.empty())) code_ = ExitCode::kNo;
  }

  static void print_text(const RecordFile& file) {
    for (const auto* problems : {&file.findings.errors, &file.findings.damage})
      for (const Finding& problem : *problems) print_line(to_string(problem));
    for (const Finding& warning : file.findings.warnings) print_line("warning: " + to_string(warning));
    print_line(verdict_text(file));
  }

  void add_json(const OrderedJson& file) {
    json_text_.add((first_ ? "" : ",") + canonical_json(file));
    first_ = false;
  }

  void end_json() {
    json_text_.add("]}");
    json_text_.finish();
    print_output("\n");
  }

  ExitCode code_ = ExitCode::kDone;
  std::uint64_t calls_ = 0;  // over all files
  std::vector<std::string> records_;
  bool json_ = false;
  bool first_ = true;
  IndentedJson json_text_{print_output};
};

}  // namespace

std::unique_ptr<Command> make_verify_command(CLI::App& parent) { return std::make_unique<VerifyCommand>(parent); }

}  // namespace opcov
