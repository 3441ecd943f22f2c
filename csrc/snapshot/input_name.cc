#include "snapshot/input_name.h"

#include "format/signature.h"

namespace opcov {
namespace {

std::string stage_in_a_name(const std::string& stage) {
  constexpr std::size_t kLongestStage = 100;
  std::string name = stage.substr(0, kLongestStage);
  for (char& c : name) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  if (name.starts_with('.')) name[0] = '_';
  return name;
}

}  // namespace

std::string input_name(const std::string& stage, std::uint64_t rank, const std::string& digest) {
  return stage_in_a_name(stage) + "_rank" + std::to_string(rank) + "_" + digest.substr(0, kShortDigest);
}

}  // namespace opcov
