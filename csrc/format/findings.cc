#include "format/findings.h"

#include "base/error.h"

namespace opcov {

std::string to_string(const Finding& finding) {
  std::string place = finding.file;
  if (finding.line > 0) place += ":" + std::to_string(finding.line);
  return place + ": " + finding.text;
}

void Findings::append(const Findings& more) {
  errors.insert(errors.end(), more.errors.begin(), more.errors.end());
  damage.insert(damage.end(), more.damage.begin(), more.damage.end());
  warnings.insert(warnings.end(), more.warnings.begin(), more.warnings.end());
}

void Findings::throw_errors() const {
  if (errors.empty()) return;
  std::string message = to_string(errors.front());
  if (errors.size() > 1) message += " (and " + std::to_string(errors.size() - 1) + " more)";
  throw bad_input(message);
}

}  // namespace opcov
