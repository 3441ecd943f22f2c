#include "base/op_selector.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace opcov {
namespace {

const std::map<std::string_view, std::vector<std::string>>& presets() {
  static const std::map<std::string_view, std::vector<std::string>> table = {
      {"@gemm",
       {"aten::linear", "aten::matmul", "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::addbmm",
        "aten::mv", "aten::addmv", "aten::dot", "aten::einsum", "aten::bilinear", "aten::_scaled_mm", "aten::_int_mm",
        "aten::_scaled_grouped_mm", "aten::_grouped_mm", "aten::_addmm_activation", "aten::_weight_int8pack_mm",
        "aten::_weight_int4pack_mm"}},
      {"@conv",
       {"aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::conv_transpose*", "aten::convolution",
        "aten::_convolution", "aten::convolution_overrideable", "aten::cudnn_convolution*",
        "aten::mkldnn_convolution"}},
      {"@attention",
       {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_*", "aten::_flash_attention_forward",
        "aten::_efficient_attention_forward", "aten::_native_multi_head_attention",
        "aten::_transformer_encoder_layer_fwd"}},
  };
  return table;
}

struct Parsed {
  std::string stage;
  std::vector<std::string> globs;
};

/// `aten.linear.default` as Python prints it, to the dispatcher's `aten::linear.default`. In `*.out` no namespace is
/// named.
std::string with_namespace(std::string glob) {
  const auto dot = glob.find('.');
  if (dot == std::string::npos || glob.find("::") != std::string::npos) return glob;
  if (glob.find_first_of("*?[") < dot) return glob;
  return glob.replace(dot, 1, "::");
}

/// Does `glob` (fnmatch rules) match the operator, with or without its overload?
bool matches_operator(const std::string& glob, std::string_view name, std::string_view overload) {
  // Most operators differ before the first wildcard, and a recording's start asks for thousands.
  const std::size_t literal = std::min(glob.find_first_of("*?["), name.size());
  if (glob.compare(0, literal, name, 0, literal) != 0) return false;
  const std::string base(name);
  if (fnmatch(glob.c_str(), base.c_str(), FNM_NOESCAPE) == 0) return true;
  const std::string full = base + "." + (overload.empty() ? "default" : std::string(overload));
  return fnmatch(glob.c_str(), full.c_str(), FNM_NOESCAPE) == 0;
}

Parsed parse_entry(const std::string& entry) {
  Parsed parsed;
  std::string rest = entry;
  if (const auto equals = entry.find('='); equals != std::string::npos) {
    parsed.stage = entry.substr(0, equals);
    rest = entry.substr(equals + 1);
    if (parsed.stage.empty() || rest.find('=') != std::string::npos)
      throw std::invalid_argument("operator entry '" + entry + "' is not understood; write STAGE=GLOB");
  }
  if (rest.empty()) throw std::invalid_argument("operator entry '" + entry + "' names no operator");
  if (rest[0] != '@') {
    parsed.globs.push_back(with_namespace(rest));
    return parsed;
  }
  const auto preset = presets().find(rest);
  if (preset == presets().end()) {
    std::string names;
    for (const auto& [name, globs] : presets()) names += " " + std::string(name);
    throw std::invalid_argument("operator preset '" + rest + "' is unknown; there are" + names);
  }
  parsed.globs = preset->second;
  return parsed;
}

}  // namespace

OpSelector::OpSelector(const std::vector<std::string>& entries) : entries_(entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Parsed parsed = parse_entry(entries[i]);
    for (std::string& glob : parsed.globs) patterns_.push_back({i, parsed.stage, std::move(glob)});
  }
}

OpSelector::Selection OpSelector::select(std::string_view name, std::string_view overload) const {
  Selection selection;
  for (const Pattern& pattern : patterns_) {
    if (!matches_operator(pattern.glob, name, overload)) continue;
    selection.selected = true;
    selection.entries.push_back(pattern.entry);
    if (pattern.stage.empty())
      selection.everywhere = true;
    else
      selection.stages.push_back(pattern.stage);
  }
  return selection;
}

void OpSelector::check(const std::vector<std::string>& entries) {
  for (const std::string& entry : entries) parse_entry(entry);
}

}  // namespace opcov
