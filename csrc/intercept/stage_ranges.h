// OPCOV_STAGE_RANGES: ranges of torch's record_function, which many programs have already, as stages.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"

namespace opcov::stage_ranges {

/// From now on ranges whose name matches a glob set their stage on the thread that enters them; the range around them
/// is back when they end. An observer is registered the first time there is one to look for, and stays.
void use(const std::vector<StageRange>& ranges);

/// The entries, as they stand in the setting, of which no range was entered since.
std::vector<std::string> unmatched();

}  // namespace opcov::stage_ranges
