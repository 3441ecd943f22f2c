// The report as one self-contained page: no network, no other file, nothing in it is ever run but opcov's own script.
//
// Names of operators, stages and files are input. They stand in the page as data alone: a JSON block in which no
// character can end it, shown by a script that makes text nodes and no markup; and a policy in the page's head lets the
// browser run and fetch nothing else.
#pragma once

#include <string>

#include "base/sink.h"
#include "page/page_data.h"
#include "report/coverage.h"
#include "report/near_misses.h"

namespace opcov {

void write_page(const Coverage& coverage, NearMisses& near_misses, const std::string& scope, const PageNames& names,
                const Sink& sink);

}  // namespace opcov
