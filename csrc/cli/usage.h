// What a wrong command line is answered with: one line that says what to write instead.
#pragma once

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace opcov {

/// The parser's error about `app`'s arguments as one of ours, with the hint that fits.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace opcov
