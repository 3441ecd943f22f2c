// What stands below a summary's tables: what the recorders could not see, where files end early, which ranks are
// missing. Empty where there is nothing to say.
#pragma once

#include <string>

#include "report/coverage.h"
#include "report/table.h"

namespace opcov {

std::string remarks_text(const Coverage& coverage, const TextStyle& style);

}  // namespace opcov
