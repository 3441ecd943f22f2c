#include "page/page.h"

#include <string_view>

#include "page/assets.h"
#include "page/content_hash.h"

namespace opcov {
namespace {

// The same JSON, without a character that means something in HTML.
Sink without_markup(const Sink& sink) {
  return [&sink](std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
      switch (c) {
        case '<': safe += "\\u003c"; break;
        case '>': safe += "\\u003e"; break;
        case '&': safe += "\\u0026"; break;
        default: safe += c;
      }
    }
    sink(safe);
  };
}

std::string policy() {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " + content_hash(assets::kLibrary) + " " +
         content_hash(assets::kScript) + "; style-src " + content_hash(assets::kStyle);
}

}  // namespace

void write_page(const Coverage& coverage, NearMisses& near_misses, const std::string& scope, const PageNames& names,
                const Sink& sink) {
  std::string_view rest = assets::kFrame;
  // Up to a place of the frame that something else goes into.
  const auto frame_to = [&](std::string_view place) {
    const std::size_t at = rest.find(place);
    sink(rest.substr(0, at));
    rest.remove_prefix(at + place.size());
  };
  frame_to("{policy}");
  sink(policy());
  frame_to("{style}");
  sink(assets::kStyle);
  frame_to("{data}");
  write_page_data(coverage, near_misses, scope, names, without_markup(sink));
  frame_to("{licence}");
  sink(assets::kLicence);
  frame_to("{library}");
  sink(assets::kLibrary);
  frame_to("{script}");
  sink(assets::kScript);
  sink(rest);
}

}  // namespace opcov
