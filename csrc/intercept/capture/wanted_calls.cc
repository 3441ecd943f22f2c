#include "intercept/capture/wanted_calls.h"

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "format/format_error.h"
#include "snapshot/random_access_file.h"

namespace opcov {
namespace {

std::invalid_argument no_report(const std::string& path, const std::string& reason) {
  return std::invalid_argument("OPCOV_CAPTURE=missing:" + path + ": " + reason);
}

bool selects(const OpSelector& selector, const std::string& base, const std::string& overload,
             const std::string& stage) {
  const auto selection = selector.select(base, overload);
  return selection.everywhere ||
         std::find(selection.stages.begin(), selection.stages.end(), stage) != selection.stages.end();
}

}  // namespace

WantedCalls::WantedCalls(const CaptureConfig& config) : report_(!config.report.empty()), selector_(config.ops) {
  if (report_) read_report(config.report);
  for (const std::string& entry : config.ops) by_entry_.emplace_back(std::vector<std::string>{entry});
}

void WantedCalls::read_report(const std::string& path) try {
  const RandomAccessFile file(path);
  const Json report = parse_strict(file.read(0, file.size()));
  for (const Json& row : report.at("rows")) {
    if (!row.at("same_structural_signature_ncu_inputs").empty()) continue;
    const Signature signature = make_signature(row.at("signature"));
    listed_.emplace(signature.digest, listed_name(signature));
    ++by_arguments_[arguments_digest(row.at("signature"))];
  }
} catch (const Error& error) {
  throw no_report(path, error.what());
} catch (const FormatError& error) {
  throw no_report(path, std::string("is no report of opcov's: ") + error.what());
} catch (const Json::exception&) {
  throw no_report(path, "is no report of opcov's; give the file that opcov report wrote");
}

bool WantedCalls::may_want(const std::string& base, const std::string& overload, const std::string& stage) const {
  return report_ || selects(selector_, base, overload, stage);  // a report's arguments are compared
}

std::vector<std::size_t> WantedCalls::entries_for(const std::string& base, const std::string& overload,
                                                  const std::string& stage) const {
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < by_entry_.size(); ++i)
    if (selects(by_entry_[i], base, overload, stage)) entries.push_back(i);
  return entries;
}

bool WantedCalls::wants(const Signature& call) const { return !report_ || listed_.contains(call.digest); }

std::size_t WantedCalls::wanted_with(const std::string& arguments_digest) const {
  const auto found = by_arguments_.find(arguments_digest);
  return found == by_arguments_.end() ? 0 : found->second;
}

std::string arguments_digest(Json signature) {
  signature["output"] = nullptr;
  return make_signature(std::move(signature)).digest;
}

std::string listed_name(const Signature& signature) {
  const std::string stage = signature.stage.empty() ? "" : signature.stage + " ";
  return stage + signature.op + " " + signature.digest.substr(0, kShortDigest);
}

}  // namespace opcov
