// `opcov summary`: the coverage as a text for a terminal.
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/load.h"
#include "report/summary.h"
#include "report/summary_json.h"

namespace opcov {
namespace {

class SummaryCommand : public Command {
 public:
  explicit SummaryCommand(CLI::App& parent)
      : Command(parent.add_subcommand("summary", "Show calls by stage and operator, and the largest uncovered ones")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    add_inputs_option(inputs_);
    add_top_option(top_, "How many signatures to list");
    app().add_flag("--json", json_, "Write JSON, with all signatures");
    add_example("opcov summary opcov-records --inputs inputs.jsonl");
  }

  int run() override {
    const Loaded loaded = load_coverage(records_, load_inputs(inputs_, /*with_digests=*/false));
    print_warnings(loaded.warnings);
    if (json_)
      print_json(loaded.coverage);
    else
      print_output(summary_text(loaded.coverage, {.top = top_, .style = style_of(STDOUT_FILENO)}));
    return 0;
  }

 private:
  static void print_json(const Coverage& coverage) {
    for (const std::string& file : coverage.remarks.no_clean_end) check_json_name(file);
    write_summary_json(coverage, print_output);
  }

  std::vector<std::string> records_;
  std::vector<std::string> inputs_;
  std::size_t top_ = SummaryOptions{}.top;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_summary_command(CLI::App& parent) { return std::make_unique<SummaryCommand>(parent); }

}  // namespace opcov
