// The page's own files as text, made at build time from csrc/page/assets and third_party (embed.cmake).
#pragma once

#include <string_view>

namespace opcov::assets {

extern const std::string_view kFrame;
extern const std::string_view kStyle;
extern const std::string_view kLibrary;
extern const std::string_view kLicence;  // the library's
extern const std::string_view kScript;

}  // namespace opcov::assets
