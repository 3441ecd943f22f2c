// Where in the program's code a signature was first called: what a `where` line of a record says.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "format/canonical_json.h"

namespace opcov {

/// All of it may be unknown. Texts are cut by whoever makes one, not by whoever reads it.
struct CallPlace {
  std::string module;               // the innermost one's name below the outermost one, "blocks.0.attn.q_proj"
  std::string module_class;         // "Linear"
  std::string root;                 // the outermost one's class
  std::vector<std::string> frames;  // innermost first, "model.py:12 Block.forward"
  std::uint64_t left_out = 0;       // frames of torch's and opcov's own between and below these
  bool more_frames = false;         // further out
  bool backward = false;            // of autograd

  auto operator<=>(const CallPlace&) const = default;
  bool is_known() const { return !root.empty() || !frames.empty(); }
};

/// What is unknown or zero is left out.
OrderedJson place_json(const CallPlace& place);

/// Throws FormatError where a known key has another type. Unknown ones are passed over.
CallPlace read_place(const Json& json);

/// "blocks.0.attn.q_proj (Linear) in Transformer, in backward"; empty where neither is known.
std::string place_title(const CallPlace& place);

/// "5 frames of torch left out, more further out"; empty where all frames are there.
std::string place_remark(const CallPlace& place);

}  // namespace opcov
