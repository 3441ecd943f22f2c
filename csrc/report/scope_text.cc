#include "report/scope_text.h"

namespace opcov {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

namespace {

std::string origin_text(const Coverage& coverage) {
  const std::string files = counted(coverage.snapshot_files, "snapshot file");
  if (coverage.snapshot_files == 0) return counted(coverage.manifests, "manifest");
  return coverage.manifests == 0 ? files : counted(coverage.manifests, "manifest") + " and " + files;
}

}  // namespace

std::string scope_text(const Coverage& coverage) {
  return "Calls were compared with profiled operator inputs by structure alone: operator, nested arguments, keyword "
         "arguments, output and stage, each tensor reduced to dtype, shape and stride, without its device. " +
         counted(coverage.calls, "call") + " in " + counted(coverage.rows.size(), "distinct signature") + ", from " +
         counted(coverage.sources.size(), "record file") + " of " + counted(coverage.ranks.size(), "rank") +
         ", were held against " + counted(coverage.snapshots, "profiled input") + " from " + origin_text(coverage) +
         "; a row is covered where at least one of these has the same structure. This does not show that tensor values "
         "were equal, that the profiled invocation was the recorded one, that the same native kernel ran, or that the "
         "profiled timing is representative, and no hardware counters of these very calls stand behind it. An "
         "uncovered "
         "row may differ from a profiled input in layout or arguments alone and has to be looked at.";
}

}  // namespace opcov
