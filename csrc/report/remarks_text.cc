#include "report/remarks_text.h"

#include <vector>

#include "base/printable.h"
#include "report/scope_text.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

constexpr std::size_t kMostNames = 8;

// "a, b, c and 12 more"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
  return text;
}

}  // namespace

std::vector<std::uint64_t> missing_ranks(const Coverage& coverage) {
  constexpr std::uint64_t kMostRanks = 1'000'000;  // a world of more is a broken header
  std::vector<std::uint64_t> missing;
  if (coverage.world_size > kMostRanks) return missing;
  for (std::uint64_t rank = 0; rank < coverage.world_size; ++rank)
    if (!coverage.ranks.contains(rank)) missing.push_back(rank);
  return missing;
}

std::string remarks_text(const Coverage& coverage, const TextStyle& style) {
  const RecorderRemarks& remarks = coverage.remarks;
  std::string text;
  for (const auto& [notice, count] : remarks.notices)
    text += "- " + printable(notice.first + " (" + grouped(count) + "): " + notice.second) + "\n";
  for (const auto& [op, count] : remarks.raised)
    text += "- " + printable(operator_text(op)) + " raised an exception " + counted(count, "time") +
            "; these are not calls\n";
  if (remarks.unrecorded > 0)
    text += "- " + counted(remarks.unrecorded, "call") + " could not be described and are not counted\n";
  if (!remarks.no_clean_end.empty())
    text += "- no clean end (killed, or still running): " + printable(listed(remarks.no_clean_end)) + "\n";
  std::vector<std::string> missing;
  for (const std::uint64_t rank : missing_ranks(coverage)) missing.push_back(std::to_string(rank));
  if (!missing.empty())
    text += "- no record of rank " + listed(missing) + " of " + std::to_string(coverage.world_size) +
            ": it made no recorded call, or its file is not among these\n";
  return text.empty() ? text : "\n" + bold("Notices", style) + "\n" + text;
}

}  // namespace opcov
