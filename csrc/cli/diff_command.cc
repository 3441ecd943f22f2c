// `opcov diff`: what differs between two runs, and whether that is more than is allowed.
#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/diff.h"
#include "report/diff_text.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

class DiffCommand : public Command {
 public:
  explicit DiffCommand(CLI::App& parent)
      : Command(parent.add_subcommand("diff", "Compare two runs: signatures gained and lost, counts, coverage")) {
    app().add_option("A", a_, "The run before: a record file, a folder of them, a glob, or a report")->required();
    app().add_option("B", b_, "The run to compare with it")->required();
    add_inputs_option(inputs_);
    add_top_option(top_, "How many signatures of each kind to show");
    app().add_flag("--json", json_, "Write JSON, with all signatures");
    app()
        .add_option("--fail-on", fail_on_,
                    "Exit with 1 where there are such differences: lost, gained, counts, coverage")
        ->type_name("KINDS")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"lost", "gained", "counts", "coverage"}));
    add_example("opcov diff before/ after/ --fail-on lost,gained");
  }

  int run() override {
    const ProfiledInputs inputs = load_inputs(inputs_, /*with_digests=*/false);
    const DiffSide a = load_side(a_, inputs);
    const DiffSide b = load_side(b_, inputs);
    if (fails_on("coverage") && !(a.compared && b.compared))
      throw bad_input("diff: --fail-on coverage needs --inputs, or two reports that were made with them");
    print_warnings(a.warnings);
    print_warnings(b.warnings);
    const Diff difference = diff(a, b);
    if (json_)
      write_diff_json(a, b, difference, print_output);
    else
      print_output(diff_text(a, b, difference, top_, style_of(STDOUT_FILENO)));
    return static_cast<int>(verdict(difference));
  }

 private:
  bool fails_on(const std::string& kind) const {
    return std::find(fail_on_.begin(), fail_on_.end(), kind) != fail_on_.end();
  }

  ExitCode verdict(const Diff& difference) const {
    ExitCode code = ExitCode::kDone;
    const auto judge = [&](const std::string& kind, const std::vector<DiffPair>& pairs, const std::string& what) {
      if (!fails_on(kind) || pairs.empty()) return;
      print_error("diff: " + counted(pairs.size(), "signature") + " " + what + " (--fail-on " + kind + ")");
      code = ExitCode::kNo;
    };
    judge("lost", difference.lost, "lost");
    judge("gained", difference.gained, "gained");
    judge("counts", difference.counts, "called more or less often");
    judge("coverage", difference.coverage_lost, "no longer covered");
    return code;
  }

  std::string a_;
  std::string b_;
  std::vector<std::string> inputs_;
  std::vector<std::string> fail_on_;
  std::size_t top_ = 10;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_diff_command(CLI::App& parent) { return std::make_unique<DiffCommand>(parent); }

}  // namespace opcov
