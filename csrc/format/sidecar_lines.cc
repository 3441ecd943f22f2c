#include "format/sidecar_lines.h"

#include <algorithm>

#include "format/canonical_json.h"
#include "format/notice_kinds.h"

namespace opcov {
namespace {

constexpr std::size_t kCountsALine = 100'000;  // readers refuse lines of many megabytes

// Of all ids: an earlier calls line may know others than the sidecar.
void add_counts(std::string& text, const std::vector<SignatureCalls>& signatures) {
  for (std::size_t first = 0; first < signatures.size(); first += kCountsALine) {
    text += R"({"record":"calls","calls":{)";
    for (std::size_t i = first; i < std::min(first + kCountsALine, signatures.size()); ++i) {
      if (i > first) text += ',';
      text += '"' + std::to_string(signatures[i].id) + "\":" + std::to_string(signatures[i].calls);
    }
    text += "}}\n";
  }
}

}  // namespace

std::string sidecar_as_lines(const Segment& segment) {
  std::string text;
  add_counts(text, segment.signatures);
  for (const Notice& notice : segment.notices) {
    if (notice.kind != kOverflowKind || notice.text != kOverflowText) continue;
    text += canonical_json(
        OrderedJson{{"record", "notice"}, {"kind", notice.kind}, {"count", notice.count}, {"text", notice.text}});
    text += '\n';
  }
  return text + R"({"record":"end","unrecorded":)" + std::to_string(segment.unrecorded) + ",\"clean\":false}\n";
}

}  // namespace opcov
