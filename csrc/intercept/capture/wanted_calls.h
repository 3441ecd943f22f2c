// Which calls OPCOV_CAPTURE asks for: those that a report calls uncovered, or those of the named operators and stages.
//
// Threads: any; constant after construction.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/op_selector.h"
#include "base/settings.h"
#include "format/signature.h"

namespace opcov {

class WantedCalls {
 public:
  /// Reads the report. Throws std::invalid_argument where that is none.
  explicit WantedCalls(const CaptureConfig& config);

  /// May a call be wanted, as far as its operator ("aten::linear", "" for the default overload) and stage tell?
  bool may_want(const std::string& base, const std::string& overload, const std::string& stage) const;

  /// Which entries of OPCOV_CAPTURE ask for such a call; none where it names a report.
  std::vector<std::size_t> entries_for(const std::string& base, const std::string& overload,
                                       const std::string& stage) const;
  const std::vector<std::string>& entries() const { return selector_.entries(); }

  /// Is it by a call's arguments that more can be told before it runs?
  bool needs_arguments() const { return report_; }

  /// How many signatures with these arguments the report calls uncovered.
  std::size_t wanted_with(const std::string& arguments_digest) const;

  bool wants(const Signature& call) const;

  /// Of a report: what it calls uncovered, by digest, with the name to list it by.
  const std::unordered_map<std::string, std::string>& listed() const { return listed_; }

 private:
  void read_report(const std::string& path);

  const bool report_;
  const OpSelector selector_;
  std::vector<OpSelector> by_entry_;
  std::unordered_map<std::string, std::string> listed_;
  std::unordered_map<std::string, std::size_t> by_arguments_;
};

/// Of a signature whose output does not count.
std::string arguments_digest(Json signature);

/// "dit aten.linear.default 10a11d3772070763": by what a signature is listed.
std::string listed_name(const Signature& signature);

}  // namespace opcov
