// `opcov report`: record files held against manifests, as JSON.
#include <algorithm>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/gate_options.h"
#include "cli/terminal.h"
#include "format/counts_reader.h"
#include "format/strict_json.h"
#include "page/page.h"
#include "report/detail.h"
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
    add_inputs_option(inputs_);
    app().add_option("-o,--output", output_, "File to write; the standard output without it")->type_name("FILE");
    app()
        .add_option("--detail", detail_,
                    "Side file to write: for each uncovered signature the nearest inputs, and more")
        ->type_name("FILE");
    app()
        .add_option("--html", html_, "Page to write, for a browser; then no JSON goes to the standard output")
        ->type_name("FILE");
    app().add_option("--scope", scope_, "The report's scope text instead of opcov's own")->type_name("TEXT");
    app().add_flag("--no-sha256", no_sha256_,
                   "Leave out the digests of .pt files, for which they have to be read whole");
    app().add_flag("--force", force_, "Replace FILE where it exists");
    gate_.add_to(app());
    add_example("opcov report opcov-records --inputs inputs.jsonl -o report.json --fail-under 80");
  }

  int run() override {
    check_arguments();
    for (const std::string& file : files()) check_writable(file, force_);
    const ProfiledInputs inputs = load_inputs(inputs_, !no_sha256_);
    const Loaded loaded = load_coverage(records_, inputs);
    for (const std::string& file : files()) refuse_inputs(file, inputs.files, loaded.coverage);
    check_names(loaded.coverage);
    print_warnings(loaded.warnings);
    const bool own_scope = app().count("--scope") > 0;
    const std::string scope = own_scope ? scope_ : scope_text(loaded.coverage);
    if (html_.empty() || !output_.empty())
      write_result([&](const Sink& sink) { write_report(loaded.coverage, scope, sink); }, output_, force_);
    if (!detail_.empty() || !html_.empty()) write_more(loaded.coverage, scope, inputs.snapshots);
    return gate_.verdict(loaded.coverage);
  }

 private:
  std::vector<std::string> files() const {
    std::vector<std::string> named = {output_, detail_, html_};
    std::erase(named, "");
    return named;
  }

  void write_more(const Coverage& coverage, const std::string& scope, const SnapshotIndex& snapshots) const {
    NearMisses near_misses(snapshots);
    if (!detail_.empty())
      write_result([&](const Sink& sink) { write_detail(coverage, near_misses, sink); }, detail_, force_);
    if (html_.empty()) return;
    const PageNames names = {records_, inputs_, output_};
    write_result([&](const Sink& sink) { write_page(coverage, near_misses, scope, names, sink); }, html_, force_);
  }

  // --force is about an older report, never about what the report is made from.
  static void refuse_inputs(const std::string& file, const std::vector<std::string>& inputs, const Coverage& coverage) {
    // Sidecars that are not there count too: a report in the place of one would be read for it.
    const auto is_output = [&](const std::string& path) { return same_file(path, file); };
    const auto is_from = [&](const Source& s) { return is_output(s.path) || is_output(counts_path(s.path)); };
    if (std::any_of(inputs.begin(), inputs.end(), is_output) ||
        std::any_of(coverage.sources.begin(), coverage.sources.end(), is_from))
      throw bad_input(file + ": is one of the files read, or a record's sidecar; give another name for the report");
  }

  void check_arguments() const {
    if (app().count("--output") > 0 && output_.empty())
      throw bad_input("report: -o got an empty name; give one, or leave -o out for the standard output");
    if (app().count("--detail") > 0 && detail_.empty()) throw bad_input("report: --detail got an empty name; give one");
    if (app().count("--html") > 0 && html_.empty()) throw bad_input("report: --html got an empty name; give one");
    check_apart("--detail", detail_, "-o", output_, "side file");
    check_apart("--html", html_, "-o", output_, "page");
    check_apart("--html", html_, "--detail", detail_, "page");
    for (const std::string& name : inputs_)
      if (!html_.empty()) check_json_name(name, "a page");
    gate_.check(!inputs_.empty());
    if (!is_utf8(scope_)) throw bad_input("report: the text of --scope is no UTF-8; a report is JSON");
  }

  static void check_apart(const std::string& option, const std::string& file, const std::string& other_option,
                          const std::string& other, const std::string& noun) {
    if (!file.empty() && !other.empty() && same_file(file, other))
      throw bad_input("report: " + option + " and " + other_option + " name the same file; give the " + noun +
                      " another name");
  }

  static void check_names(const Coverage& coverage) {
    for (const Source& source : coverage.sources) check_json_name(source.path, "a report");
  }

  std::vector<std::string> records_;
  std::vector<std::string> inputs_;
  std::string output_;
  std::string detail_;
  std::string html_;
  std::string scope_;
  bool no_sha256_ = false;
  bool force_ = false;
  GateOptions gate_;
};

}  // namespace

std::unique_ptr<Command> make_report_command(CLI::App& parent) { return std::make_unique<ReportCommand>(parent); }

}  // namespace opcov
