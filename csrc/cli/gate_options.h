// The options of `opcov report` that let a CI job fail: --fail-under and --by.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report/gate.h"

namespace opcov {

class GateOptions {
 public:
  void add_to(CLI::App& command);

  /// Throws Error (kBadInput) where the options make no sense together.
  void check(bool with_inputs) const;

  /// The exit status for this coverage; says on stderr why it is not 0, and what was left out.
  int verdict(const Coverage& coverage) const;

 private:
  std::string least_;  // as given; empty where there is no gate
  std::string by_ = "calls";
  CLI::Option* by_option_ = nullptr;
};

}  // namespace opcov
