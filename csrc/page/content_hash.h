// How a Content-Security-Policy names the one script or style that it allows: 'sha256-<base64 of its SHA-256>'.
#pragma once

#include <string>
#include <string_view>

namespace opcov {

/// Quotes included.
std::string content_hash(std::string_view text);

}  // namespace opcov
