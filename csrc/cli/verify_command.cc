// `opcov verify`: does each file keep to the record format? Names file and line of what does not.
#include <cstdio>

#include "cli/command.h"
#include "cli/terminal.h"
#include "format/record_files.h"
#include "format/record_reader.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

std::string ending_text(const RecordFile& file) {
  if (file.segments.empty()) return "no record";
  switch (file.segments.back().ending) {
    case Ending::kClean: return "clean end";
    case Ending::kSidecar: return "no clean end (killed, or still running), counts from the sidecar";
    case Ending::kCut: break;
  }
  return "no clean end and no sidecar, counts from the last calls line";
}

std::string verdict(const RecordFile& file) {
  std::uint64_t signatures = 0;
  std::uint64_t calls = 0;
  std::string ranks;
  for (const Segment& segment : file.segments) {
    signatures += segment.signatures.size();
    for (const SignatureCalls& entry : segment.signatures) calls += entry.calls;
    if (file.segments.size() == 1) ranks = ", rank " + std::to_string(segment.rank);
  }
  const std::size_t problems = file.findings.errors.size() + file.findings.damage.size();
  return file.path + ": " + (problems == 0 ? "ok" : counted(problems, "problem")) + ": " +
         counted(file.segments.size(), "segment") + ranks + ", " + counted(signatures, "signature") + ", " +
         counted(calls, "call") + ", " + ending_text(file) + "\n";
}

class VerifyCommand : public Command {
 public:
  explicit VerifyCommand(CLI::App& parent)
      : Command(parent.add_subcommand("verify", "Check record files against the format")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
  }

  int run() override {
    SignaturePool pool;
    ExitCode code = ExitCode::kDone;
    for (const std::string& path : find_record_files(records_)) {
      try {
        const RecordFile file = read_record_file(path, pool);
        const Findings& findings = file.findings;
        for (const auto* problems : {&findings.errors, &findings.damage})
          for (const Finding& problem : *problems) print_output(to_string(problem) + "\n");
        for (const Finding& warning : findings.warnings) print_output("warning: " + to_string(warning) + "\n");
        print_output(verdict(file));
        if (code == ExitCode::kDone && !(findings.errors.empty() && findings.damage.empty())) code = ExitCode::kNo;
      } catch (const Error& error) {
        if (error.code() != ExitCode::kBadInput) throw;
        std::fprintf(stderr, "opcov: %s\n", error.what());
        code = ExitCode::kBadInput;
      }
    }
    return static_cast<int>(code);
  }

 private:
  std::vector<std::string> records_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command(CLI::App& parent) { return std::make_unique<VerifyCommand>(parent); }

}  // namespace opcov
