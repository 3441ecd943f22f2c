// A diff for people, and as JSON for programs (docs/cli.md, opcov diff).
#pragma once

#include <cstddef>
#include <string>

#include "base/sink.h"
#include "report/diff.h"
#include "report/table.h"

namespace opcov {

/// At most `top` signatures of each kind.
std::string diff_text(const DiffSide& a, const DiffSide& b, const Diff& diff, std::size_t top, const TextStyle& style);

void write_diff_json(const DiffSide& a, const DiffSide& b, const Diff& diff, const Sink& sink);

}  // namespace opcov
