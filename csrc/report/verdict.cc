#include "report/verdict.h"

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "report/scope_text.h"

namespace opcov {
namespace {

std::size_t segments_that_end(const RecordFile& file, Ending ending) {
  return static_cast<std::size_t>(std::count_if(file.segments.begin(), file.segments.end(),
                                                [&](const Segment& segment) { return segment.ending == ending; }));
}

std::string ending_text(const RecordFile& file) {
  if (file.segments.empty()) return "no record";
  std::string text;
  const auto add = [&](Ending ending, const std::string& end, const std::string& more) {
    const std::size_t number = segments_that_end(file, ending);
    if (number == 0) return;
    const std::string of = number == file.segments.size() ? "" : " of " + counted(number, "segment");
    text += (text.empty() ? "" : "; ") + end + of + more;
  };
  add(Ending::kClean, "clean end", "");
  add(Ending::kSidecar, "no clean end", " (killed, or still running), counts from the sidecar");
  add(Ending::kCut, "no clean end", " and no sidecar to go by, counts from the last calls line");
  return text;
}

std::uint64_t signatures_of(const RecordFile& file) {
  std::uint64_t signatures = 0;
  for (const Segment& segment : file.segments) signatures += segment.signatures.size();
  return signatures;
}

std::size_t problems_of(const RecordFile& file) { return file.findings.errors.size() + file.findings.damage.size(); }

OrderedJson finding_json(const Finding& finding) {
  return {{"path", finding.file},
          {"line", finding.line > 0 ? OrderedJson(finding.line) : OrderedJson()},
          {"text", printable(finding.text)}};  // it may quote bytes of the file that no JSON can say
}

OrderedJson findings_json(const std::vector<Finding>& findings) {
  OrderedJson all = OrderedJson::array();
  for (const Finding& finding : findings) all.push_back(finding_json(finding));
  return all;
}

}  // namespace

std::string verdict_text(const RecordFile& file) {
  const std::size_t problems = problems_of(file);
  const std::string rank = file.segments.size() == 1 ? ", rank " + std::to_string(file.segments.front().rank) : "";
  return file.path + ": " + (problems == 0 ? "ok" : counted(problems, "problem")) + ": " +
         counted(file.segments.size(), "segment") + rank + ", " + counted(signatures_of(file), "signature") + ", " +
         counted(file.calls, "call") + ", " + ending_text(file);
}

OrderedJson verdict_json(const RecordFile& file) {
  std::set<std::uint64_t> ranks;
  for (const Segment& segment : file.segments) ranks.insert(segment.rank);
  OrderedJson problems = findings_json(file.findings.errors);
  for (const Finding& finding : file.findings.damage) problems.push_back(finding_json(finding));
  return {{"path", file.path},
          {"ok", problems_of(file) == 0},
          {"problems", std::move(problems)},
          {"warnings", findings_json(file.findings.warnings)},
          {"segments", file.segments.size()},
          {"ranks", ranks},
          {"signatures", signatures_of(file)},
          {"calls", file.calls},
          {"endings",
           {{"clean", segments_that_end(file, Ending::kClean)},
            {"sidecar", segments_that_end(file, Ending::kSidecar)},
            {"cut", segments_that_end(file, Ending::kCut)}}}};
}

OrderedJson unreadable_json(const std::string& path, const Error& error) {
  std::string problem = error.what();
  if (problem.starts_with(path + ": ")) problem.erase(0, path.size() + 2);  // it stands in a key of its own
  return {{"path", path}, {"ok", false}, {"problems", OrderedJson::array({finding_json({path, 0, problem})})}};
}

}  // namespace opcov
