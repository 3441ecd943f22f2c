// `opcov explain`: why signatures are not covered, or all that is known of some.
#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/terminal.h"
#include "format/digest_prefix.h"
#include "format/indented_json.h"
#include "report/explanation.h"
#include "report/load.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

constexpr std::size_t kMostCandidates = 5;

const CoverageRow& row_of(const Coverage& coverage, const std::string& prefix) {
  std::vector<const CoverageRow*> found;
  for (const CoverageRow& row : coverage.rows)
    if (row.signature.digest.starts_with(prefix)) found.push_back(&row);
  if (found.empty()) throw bad_input("no signature's digest begins with " + prefix + "; opcov report lists them");
  if (found.size() == 1) return *found.front();
  std::string candidates;
  for (std::size_t i = 0; i < std::min(kMostCandidates, found.size()); ++i)
    candidates += (i > 0 ? ", " : "") + found[i]->signature.digest;
  if (found.size() > kMostCandidates) candidates += " and " + std::to_string(found.size() - kMostCandidates) + " more";
  throw bad_input(prefix + " is the beginning of " + std::to_string(found.size()) + " digests: " + candidates +
                  "; give more digits");
}

class ExplainCommand : public Command {
 public:
  explicit ExplainCommand(CLI::App& parent)
      : Command(parent.add_subcommand("explain", "Say why signatures are not covered, and all that is known of some")) {
    app()
        .add_option("RECORDS", names_, "Record files, folders of them, or globs; then the first digits of digests")
        ->required();
    add_inputs_option(inputs_);
    add_top_option(top_, "How many uncovered signatures to show");
    app().add_flag("--json", json_, "Write JSON");
    add_example("opcov explain opcov-records 255d8b64 --inputs inputs.jsonl");
  }

  int run() override {
    std::vector<std::string> records;
    std::vector<std::string> prefixes;
    for (const std::string& name : names_) (is_digest_prefix(name) ? prefixes : records).push_back(name);
    refuse_digests(inputs_, "--inputs");
    if (records.empty()) throw bad_input("explain: no records are given, digests alone; give the record files first");
    const ProfiledInputs inputs = load_inputs(inputs_, /*with_digests=*/false);
    const Loaded loaded = load_coverage(records, inputs);
    print_warnings(loaded.warnings);
    std::vector<const CoverageRow*> rows;
    for (const std::string& prefix : prefixes) rows.push_back(&row_of(loaded.coverage, prefix));
    std::size_t more = 0;
    if (prefixes.empty()) {
      rows = largest(loaded.coverage, [](const CoverageRow& row) { return row.to_be_profiled(); });
      more = rows.size() - std::min(rows.size(), top_);
      rows.resize(rows.size() - more);
    }
    NearMisses near_misses(inputs.snapshots);
    print_output(json_ ? as_json(rows, more, near_misses) : as_text(rows, more, loaded.coverage, near_misses));
    return 0;
  }

 private:
  static std::string as_json(const std::vector<const CoverageRow*>& rows, std::size_t more, NearMisses& near_misses) {
    OrderedJson all = OrderedJson::array();
    for (const CoverageRow* row : rows) all.push_back(explanation_json(*row, near_misses));
    return indented_json({{"signatures", all}, {"more", more}}) + "\n";
  }

  static std::string as_text(const std::vector<const CoverageRow*>& rows, std::size_t more, const Coverage& coverage,
                             NearMisses& near_misses) {
    const TextStyle style = style_of(STDOUT_FILENO);
    std::string text;
    for (const CoverageRow* row : rows)
      text += (text.empty() ? "" : "\n") + explanation_text(*row, coverage.compared(), near_misses, style);
    if (more > 0) text += "\nand " + counted(more, "more uncovered signature") + " (--top shows more)\n";
    return text.empty() ? "every signature that can be profiled is covered\n" : text;
  }

  std::vector<std::string> names_;
  std::vector<std::string> inputs_;
  std::size_t top_ = 10;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command(CLI::App& parent) { return std::make_unique<ExplainCommand>(parent); }

}  // namespace opcov
