#include "intercept/call_ranges.h"

#include <nlohmann/json.hpp>

#include "format/signature.h"
#include "intercept/call_key_json.h"
#include "intercept/nvtx_range.h"
#include "intercept/stages.h"

namespace opcov {

bool CallRanges::open(const KeyView& arguments, const std::string& op, std::uint32_t stage) noexcept try {
  if (const auto known = names_.find(arguments); known.key != nullptr) {
    open_nvtx_range(known.value->c_str());
    return true;
  }
  open_nvtx_range((stage_name(stage) + "/" + op).c_str());
  return false;
} catch (...) {
  open_nvtx_range("");  // it will be closed
  return true;
}

void CallRanges::learn(const KeyView& arguments, const KeyView& call, const std::string& op,
                       std::uint32_t stage) noexcept try {
  // A call inside this one, of the same arguments, may have been quicker.
  if (names_.find(arguments).key != nullptr) return;
  const std::string name = stage_name(stage);
  const auto recorded = signature_json(call.words, call.size, op, name);
  const Signature signature =
      make_signature(parse_strict(recorded.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
  names_.add(arguments, name + "/" + op + "/" + signature.digest.substr(0, kShortDigest));
} catch (...) {
  return;
}

}  // namespace opcov
