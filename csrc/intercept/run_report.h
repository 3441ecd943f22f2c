// What a recording tells its user when it ends: the record's notices, and a line on stderr where it saw nothing, or
// mostly operators that only look like the selected ones. Silent emptiness is the worst outcome a user can have.
#pragma once

#include <vector>

#include "intercept/session.h"

namespace opcov {

/// The notices for the end of the record; says the urgent ones on stderr.
std::vector<RunNotice> run_notices(Session& session);

}  // namespace opcov
