#include "replay/made_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

namespace opcov {
namespace {

using Kind = MadeValues::Kind;

MadeValues range(double low, double high) { return {Kind::kRange, low, high, 0}; }

// Indices of something of this size.
MadeValues below(std::int64_t size) { return range(0, static_cast<double>(std::max<std::int64_t>(size, 1))); }

// What came out, where the size of the output depends on values.
std::int64_t output_size(const CallArguments& call, std::size_t dim) {
  const Json& output = call.output.is_array() && !call.output.empty() ? call.output[0] : call.output;
  const auto shape = shape_of(output);
  return dim < shape.size() ? shape[dim] : 0;
}

std::int64_t indexed_dim(const CallArguments& call) { return call.size("self", call.integer("dim", 0)); }

bool is_mask(const Json& tensor) {
  return tensor.is_object() &&
         (tensor.value("dtype", "") == "torch.bool" || tensor.value("dtype", "") == "torch.uint8");
}

// Of self[.., indices[item], ..]: masks stand for as many dimensions as they have.
MadeValues one_of_indices(const CallArguments& call, std::size_t item) {
  const Json& indices = call["indices"];
  std::size_t dim = 0;
  for (std::size_t i = 0; i < item; ++i) dim += is_mask(indices[i]) ? shape_of(indices[i]).size() : 1;
  if (!is_mask(indices[item])) return below(call.size("self", static_cast<std::int64_t>(dim)));
  const Json& values = call["values"];
  const auto n_values = static_cast<std::int64_t>(call.shape("values").empty() ? 0 : call.shape("values")[0]);
  return {Kind::kCount, 0, 1, values.is_null() ? output_size(call, dim) : n_values};
}

std::int64_t classes(const CallArguments& call) { return call.size("self", call.shape("self").size() == 1 ? 0 : 1); }

struct Rule {
  std::string_view ops;       // separated by spaces, "*" for all; "linalg_*" for all that begin so
  std::string_view argument;  // "*" for all
  std::function<MadeValues(const CallArguments& call, std::size_t item)> values;
};

template <class Values>
Rule rule(std::string_view ops, std::string_view argument, Values values) {
  return {ops, argument, values};
}

Rule fixed(std::string_view ops, std::string_view argument, MadeValues values) {
  return {ops, argument, [values](const CallArguments&, std::size_t) { return values; }};
}

// The first one that fits holds.
const std::vector<Rule>& rules() {
  static const auto* all = new std::vector<Rule>{
      rule("gather gather_backward scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ "
           "index_select "
           "index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_reduce index_reduce_ "
           "_index_put_impl_ take_along_dim",
           "index", [](const CallArguments& call, std::size_t) { return below(indexed_dim(call)); }),
      rule("index _unsafe_index index_put index_put_ _unsafe_index_put _index_put_impl_ _unsafe_masked_index",
           "indices", one_of_indices),
      rule("take put put_", "index",
           [](const CallArguments& call, std::size_t) { return below(call.elements("self")); }),
      rule("embedding embedding_renorm_ _embedding_bag embedding_bag _embedding_bag_forward_only", "indices",
           [](const CallArguments& call, std::size_t) {
             return below(call.size(call["weight"].is_null() ? "self" : "weight", 0));
           }),
      rule("embedding_dense_backward", "indices",
           [](const CallArguments& call, std::size_t) { return below(call.integer("num_weights", 1)); }),
      rule("embedding_bag _embedding_bag _embedding_bag_forward_only", "offsets",
           [](const CallArguments& call, std::size_t) {
             return MadeValues{Kind::kSpread, 0, static_cast<double>(call.elements("indices")), 0};
           }),
      rule("nll_loss nll_loss_nd nll_loss2d nll_loss_forward nll_loss2d_forward multi_margin_loss", "target",
           [](const CallArguments& call, std::size_t) { return below(classes(call)); }),
      fixed("*", "running_var", range(0.5, 1.5)),
  };
  return *all;
}

bool names(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    const std::string_view one = list.substr(0, end);
    if (one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)))) return true;
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

MadeValues made_values(const CallArguments& call, const std::string& argument, std::size_t item, bool is_floating) {
  const std::string_view op = std::string_view(call.op).substr(call.op.find("::") + 2);
  for (const Rule& one : rules())
    if (names(one.ops, op) && names(one.argument, argument)) return one.values(call, item);
  // Whole numbers that are no indices: none that cannot be divided by.
  return is_floating ? range(-1, 1) : range(1, 10);
}

}  // namespace opcov
