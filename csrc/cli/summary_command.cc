// `opcov summary`: the coverage as a text for a terminal.
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/load.h"
#include "report/summary.h"

namespace opcov {
namespace {

class SummaryCommand : public Command {
 public:
  explicit SummaryCommand(CLI::App& parent)
      : Command(parent.add_subcommand("summary", "Show calls by stage and operator, and the largest uncovered ones")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    add_inputs_option(inputs_);
    add_top_option(top_, "How many signatures to list");
    add_example("opcov summary opcov-records --inputs inputs.jsonl");
  }

  int run() override {
    const Loaded loaded = load_coverage(records_, load_inputs(inputs_, /*with_digests=*/false));
    print_warnings(loaded.warnings);
    print_output(summary_text(loaded.coverage, {.top = top_, .style = style_of(STDOUT_FILENO)}));
    return 0;
  }

 private:
  std::vector<std::string> records_;
  std::vector<std::string> inputs_;
  std::size_t top_ = SummaryOptions{}.top;
};

}  // namespace

std::unique_ptr<Command> make_summary_command(CLI::App& parent) { return std::make_unique<SummaryCommand>(parent); }

}  // namespace opcov
