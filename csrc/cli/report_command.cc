// `opcov report`: record files held against manifests, as JSON.
#include <algorithm>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "format/counts_reader.h"
#include "format/strict_json.h"
#include "report/load.h"
#include "report/report_json.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

class ReportCommand : public Command {
 public:
  explicit ReportCommand(CLI::App& parent)
      : Command(parent.add_subcommand("report", "Write the coverage report as JSON")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    app().add_option("--inputs", manifests_, "Manifests of profiled operator inputs")->type_name("MANIFEST");
    app().add_option("-o,--output", output_, "File to write; the standard output without it")->type_name("FILE");
    app().add_option("--scope", scope_, "The report's scope text instead of opcov's own")->type_name("TEXT");
    app().add_flag("--force", force_, "Replace FILE where it exists");
  }

  int run() override {
    check_arguments();
    if (!output_.empty()) check_writable(output_, force_);
    const Loaded loaded = load_coverage(records_, manifests_);
    if (!output_.empty()) refuse_inputs(loaded.coverage);
    check_names(loaded.coverage);
    print_warnings(loaded.warnings);
    const bool own_scope = app().count("--scope") > 0;
    const std::string scope = own_scope ? scope_ : scope_text(loaded.coverage);
    write_result([&](const Sink& sink) { write_report(loaded.coverage, scope, sink); }, output_, force_);
    return 0;
  }

 private:
  // --force is about an older report, never about what the report is made from.
  void refuse_inputs(const Coverage& coverage) const {
    // Sidecars that are not there count too: a report in the place of one would be read for it.
    const auto is_output = [&](const std::string& path) { return same_file(path, output_); };
    const auto is_from = [&](const Source& s) { return is_output(s.path) || is_output(counts_path(s.path)); };
    if (std::any_of(manifests_.begin(), manifests_.end(), is_output) ||
        std::any_of(coverage.sources.begin(), coverage.sources.end(), is_from))
      throw bad_input(output_ + ": is one of the files read, or a record's sidecar; give another name for the report");
  }

  void check_arguments() const {
    if (app().count("--output") > 0 && output_.empty())
      throw bad_input("report: -o got an empty name; give one, or leave -o out for the standard output");
    if (!is_utf8(scope_)) throw bad_input("report: the text of --scope is no UTF-8; a report is JSON");
  }

  static void check_names(const Coverage& coverage) {
    for (const Source& source : coverage.sources)
      if (!is_utf8(source.path))
        throw bad_input(source.path + ": this name is no UTF-8 and cannot stand in a report; rename the file");
  }

  std::vector<std::string> records_;
  std::vector<std::string> manifests_;
  std::string output_;
  std::string scope_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_report_command(CLI::App& parent) { return std::make_unique<ReportCommand>(parent); }

}  // namespace opcov
