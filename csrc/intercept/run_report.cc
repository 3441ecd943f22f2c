#include "intercept/run_report.h"

#include <string>
#include <utility>

#include "base/op_selector.h"
#include "base/say.h"
#include "intercept/blind_spots.h"
#include "intercept/hooks.h"
#include "intercept/stage_ranges.h"

namespace opcov {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

/// Is an operator that may end as addmm, mm or convolution among the selected ones?
bool selects_composites(const Config& config) {
  const OpSelector selector(config.ops);
  for (const char* name : {"aten::linear", "aten::matmul", "aten::conv1d", "aten::conv2d", "aten::conv3d"})
    if (selector.select(name, "").selected) return true;
  return false;
}

std::string remedy(const Config& config, const std::string& seen) {
  return "seen instead: " + seen + "; set OPCOV_OPS=" + joined(config.ops) + ",@gemm,@conv to record these";
}

}  // namespace

std::vector<RunNotice> run_notices(Session& session) {
  const Config& config = session.config();
  std::vector<RunNotice> notices;
  for (const std::string& entry : hooks::unmatched_entries())
    notices.push_back({"unmatched_glob", 1, entry + " matches no operator of this process"});
  for (const std::string& entry : stage_ranges::unmatched())
    notices.push_back(
        {"unmatched_range", 1, "OPCOV_STAGE_RANGES entry '" + entry + "' matches no range of this process"});

  std::uint64_t look_alike_calls = 0;
  std::string seen;
  for (const auto& [op, calls] : hooks::look_alikes()) {
    look_alike_calls += calls;
    seen += (seen.empty() ? "" : ", ") + op + " x " + std::to_string(calls);
  }
  const std::uint64_t calls = session.calls();
  if (calls == 0) {
    // A process that ran no operator at all, such as a launcher, has nothing to be told. With OPCOV_NESTED or
    // OPCOV_TRANSPARENT there may be no hook that would have seen one.
    if (!hooks::saw(hooks::kOperators) && !config.nested && config.transparent.empty()) return {};
    std::string text = "no call of the selected operators (" + joined(config.ops) + ") was recorded";
    if (session.has_captured())
      text += ": they were captured into CUDA graphs, and no replay of these was seen";
    else if (!notices.empty())
      text += ": " + notices.front().text + "; look at its spelling";
    else if (hooks::saw(hooks::kOtherDevice))
      text += ": they ran, but on no device of OPCOV_DEVICES=" + joined(config.devices);
    else if (hooks::saw(hooks::kOtherStage))
      text += ": they ran, but outside the stages that OPCOV_OPS names; look at the stages' spelling";
    else if (look_alike_calls > 0)
      text += "; " + remedy(config, seen);
    else
      text += "; set OPCOV_OPS, for instance to 'aten::*', to record what ran instead";
    say(text);
    notices.push_back({"no_selected_call", 1, text});
  } else if (look_alike_calls > calls && selects_composites(config)) {
    const std::string text = std::to_string(calls) +
                             " calls of the selected operators were recorded, but more that may be theirs in another "
                             "form; " +
                             remedy(config, seen);
    say(text);
    notices.push_back({"look_alikes", look_alike_calls, text});
  }
  for (RunNotice& notice : blind_spots::notices()) notices.push_back(std::move(notice));
  return notices;
}

}  // namespace opcov
