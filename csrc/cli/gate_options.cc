#include "cli/gate_options.h"

#include "base/error.h"
#include "cli/terminal.h"

namespace opcov {
namespace {

std::string refused_percentage(const std::string& text) {
  return parse_percentage(text) ? "" : "takes a percentage from 0 to 100, such as 80 or 99.5, not " + text;
}

GateBy gate_by(const std::string& name) {
  if (name == "signatures") return GateBy::kSignatures;
  return name == "flops" ? GateBy::kFlops : GateBy::kCalls;
}

}  // namespace

void GateOptions::add_to(CLI::App& command) {
  command.add_option("--fail-under", least_, "Exit with 1 where less than so many percent are covered")
      ->type_name("PERCENT")
      ->check(refused_percentage);
  by_option_ = command.add_option("--by", by_, "What --fail-under counts: calls, signatures or flops")
                   ->type_name("WORK")
                   ->capture_default_str()
                   ->check(CLI::IsMember({"calls", "signatures", "flops"}));
}

void GateOptions::check(bool with_inputs) const {
  if (least_.empty() && by_option_->count() > 0)
    throw bad_input("report: --by says what --fail-under counts; give both");
  if (!least_.empty() && !with_inputs)
    throw bad_input("report: --fail-under has nothing to go by; give the profiled inputs by --inputs");
}

int GateOptions::verdict(const Coverage& coverage) const {
  if (least_.empty()) return 0;
  const GateResult result = gate(coverage, gate_by(by_), *parse_percentage(least_));
  if (!result.left_out.empty()) print_error("warning: " + result.left_out);
  if (result.passed) return 0;
  print_error("report: " + result.text);
  return static_cast<int>(ExitCode::kNo);
}

}  // namespace opcov
