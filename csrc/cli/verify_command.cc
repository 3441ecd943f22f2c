// `opcov verify`: does each file keep to the record format? Names file and line of what does not.
#include <algorithm>

#include "base/in_order.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "format/count_sum.h"
#include "format/record_files.h"
#include "format/record_reader.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

std::string ending_text(const RecordFile& file) {
  if (file.segments.empty()) return "no record";
  std::string text;
  const auto add = [&](Ending ending, const std::string& end, const std::string& more) {
    const auto number = static_cast<std::size_t>(std::count_if(file.segments.begin(), file.segments.end(),
                                                               [&](const Segment& s) { return s.ending == ending; }));
    if (number == 0) return;
    const std::string of = number == file.segments.size() ? "" : " of " + counted(number, "segment");
    text += (text.empty() ? "" : "; ") + end + of + more;
  };
  add(Ending::kClean, "clean end", "");
  add(Ending::kSidecar, "no clean end", " (killed, or still running), counts from the sidecar");
  add(Ending::kCut, "no clean end", " and no sidecar to go by, counts from the last calls line");
  return text;
}

std::string verdict(const RecordFile& file) {
  std::uint64_t signatures = 0;
  std::string ranks;
  for (const Segment& segment : file.segments) {
    signatures += segment.signatures.size();
    if (file.segments.size() == 1) ranks = ", rank " + std::to_string(segment.rank);
  }
  const std::size_t problems = file.findings.errors.size() + file.findings.damage.size();
  return file.path + ": " + (problems == 0 ? "ok" : counted(problems, "problem")) + ": " +
         counted(file.segments.size(), "segment") + ranks + ", " + counted(signatures, "signature") + ", " +
         counted(file.calls, "call") + ", " + ending_text(file);
}

class VerifyCommand : public Command {
 public:
  explicit VerifyCommand(CLI::App& parent)
      : Command(parent.add_subcommand("verify", "Check record files against the format")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    add_example("opcov verify opcov-records");
  }

  int run() override {
    const std::vector<std::string> paths = find_record_files(records_);
    SignaturePool pool;
    Progress progress("checking record files", paths.size());
    const auto read = [&](std::size_t i) { return read_record_file(paths[i], pool); };
    in_order(paths.size(), read, [&](std::size_t, Made<RecordFile> made) {
      progress.beside([&] { verify(std::move(made)); });
      progress.advance();
    });
    return static_cast<int>(code_);
  }

 private:
  void verify(Made<RecordFile> made) {
    try {
      print(made.get());
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      print_error(error.what());
      code_ = ExitCode::kBadInput;
    }
  }

  void print(RecordFile file) {
    Findings& findings = file.findings;
    if (!add_count(calls_, file.calls))
      findings.errors.push_back(
          {file.path, 0, "its counts take the sum over all files beyond 2^63-1; one must be wrong"});
    for (const auto* problems : {&findings.errors, &findings.damage})
      for (const Finding& problem : *problems) print_line(to_string(problem));
    for (const Finding& warning : findings.warnings) print_line("warning: " + to_string(warning));
    print_line(verdict(file));
    if (code_ == ExitCode::kDone && !(findings.errors.empty() && findings.damage.empty())) code_ = ExitCode::kNo;
  }

  ExitCode code_ = ExitCode::kDone;
  std::uint64_t calls_ = 0;  // over all files
  std::vector<std::string> records_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command(CLI::App& parent) { return std::make_unique<VerifyCommand>(parent); }

}  // namespace opcov
