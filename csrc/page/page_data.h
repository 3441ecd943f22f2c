// What the page shows, as one JSON object for its script (assets/data.js reads it; no other reader is meant).
#pragma once

#include <string>
#include <vector>

#include "base/sink.h"
#include "report/coverage.h"
#include "report/near_misses.h"

namespace opcov {

/// What the page's commands name, as the command line gave it.
struct PageNames {
  std::vector<std::string> records;
  std::vector<std::string> inputs;
  std::string report;  // empty where it went to the standard output
};

void write_page_data(const Coverage& coverage, NearMisses& near_misses, const std::string& scope,
                     const PageNames& names, const Sink& sink);

}  // namespace opcov
