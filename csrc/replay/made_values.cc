#include "replay/made_values.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace opcov {
namespace {

MadeValues range(double low, double high) { return {.low = low, .high = high, .by_place = {}, .dim = {}}; }

MadeValues probabilities() { return range(0.01, 1); }

// Indices of something of this size.
MadeValues below(std::int64_t size) { return range(0, static_cast<double>(std::max<std::int64_t>(size, 1))); }

MadeValues all_equal(std::int64_t number) {
  return range(static_cast<double>(number), static_cast<double>(number) + 1);
}

MadeValues by_place(std::function<std::int64_t(std::int64_t)> values, std::optional<std::int64_t> dim) {
  MadeValues made;
  made.by_place = std::move(values);
  made.dim = dim;
  return made;
}

constexpr std::int64_t kLast = -1;

// From 0 to the last value, of `places` along the last dimension.
MadeValues ascending(std::int64_t places, std::int64_t last) {
  return by_place([=](std::int64_t i) { return places > 1 ? i * last / (places - 1) : 0; }, kLast);
}

// Whole numbers that add up to `sum` over `places`, each as near to the others as can be. Of ones and zeros: so many
// ones, evenly among the zeros.
MadeValues adding_up(std::int64_t places, std::int64_t sum, std::optional<std::int64_t> dim) {
  const std::int64_t n = std::max<std::int64_t>(places, 1);
  return by_place([=](std::int64_t i) { return (i + 1) * sum / n - i * sum / n; }, dim);
}

// So many different values, equal ones side by side.
MadeValues distinct(std::int64_t places, std::int64_t n, std::optional<std::int64_t> dim) {
  return by_place([=](std::int64_t i) { return i * n / std::max<std::int64_t>(places, 1); }, dim);
}

// 0, 1, .., and this one as the largest.
MadeValues up_to(std::int64_t largest) {
  return by_place([=](std::int64_t i) { return i == 0 ? largest : i % (largest + 1); }, {});
}

// The rows that a factorisation has left where they were.
MadeValues unmoved_rows() {
  return by_place([](std::int64_t i) { return i + 1; }, kLast);
}

MadeValues positive_definite() {
  MadeValues made;
  made.positive_definite = true;
  return made;
}

// What came out, where the size of the output depends on values.
std::int64_t output_size(const CallArguments& call, std::size_t dim) {
  const auto shape = shape_of(call.output.is_array() && !call.output.empty() ? call.output[0] : call.output);
  return dim < shape.size() ? shape[dim] : 0;
}

std::int64_t indexed_size(const CallArguments& call) { return call.size("self", call.integer("dim", 0)); }

std::int64_t last_size(const CallArguments& call, const char* argument) { return call.size(argument, kLast); }

// Elements in the last dimensions, over which a pool goes.
std::int64_t pooled_elements(const std::vector<std::int64_t>& sizes, std::size_t dims) {
  std::int64_t n = 1;
  for (std::size_t i = sizes.size() - std::min(dims, sizes.size()); i < sizes.size(); ++i) n *= sizes[i];
  return n;
}

std::size_t pool_dims(const CallArguments& call) { return call.op.find("3d") == std::string::npos ? 2 : 3; }

bool is_mask(const Json& tensor) {
  const std::string dtype = tensor.is_object() ? tensor.value("dtype", std::string()) : std::string();
  return dtype == "torch.bool" || dtype == "torch.uint8";
}

// Of self[.., indices[item], ..]: masks stand for as many dimensions as they have.
MadeValues one_of_indices(const CallArguments& call, std::size_t item) {
  const Json& indices = call["indices"];
  std::size_t dim = 0;
  for (std::size_t i = 0; i < item; ++i) dim += is_mask(indices[i]) ? shape_of(indices[i]).size() : 1;
  if (!is_mask(indices[item])) return below(call.size("self", static_cast<std::int64_t>(dim)));
  const std::vector<std::int64_t> values = call.shape("values");
  const std::int64_t chosen = values.empty() ? output_size(call, dim) : values[0];
  return adding_up(elements_of(indices[item]), chosen, {});
}

// Where the mask is repeated over other dimensions, each of its elements chooses several.
MadeValues selecting_mask(const CallArguments& call) {
  const std::vector<std::int64_t> self = call.shape("self");
  const std::vector<std::int64_t> mask = call.shape("mask");
  std::int64_t all = 1;
  for (std::size_t i = 0; i < std::max(self.size(), mask.size()); ++i) {
    const std::int64_t from_self = i < self.size() ? self[self.size() - 1 - i] : 1;
    const std::int64_t from_mask = i < mask.size() ? mask[mask.size() - 1 - i] : 1;
    all *= from_self == 1 ? from_mask : from_self;
  }
  const std::int64_t elements = call.elements("mask");
  const std::int64_t repeated = elements == 0 ? 1 : std::max<std::int64_t>(all / elements, 1);
  return adding_up(elements, output_size(call, 0) / repeated, {});
}

// In the sizes of the parts that came out, or in their number.
MadeValues split_points(const CallArguments& call) {
  if (call.shape("tensor_indices_or_sections").empty()) return all_equal(static_cast<std::int64_t>(call.output.size()));
  std::int64_t dim = call.integer("dim", 0);
  if (dim < 0) dim += static_cast<std::int64_t>(call.shape("self").size());
  std::vector<std::int64_t> points;
  std::int64_t at = 0;
  for (const Json& part : call.output) {
    const auto shape = shape_of(part);
    at += static_cast<std::size_t>(dim) < shape.size() ? shape[static_cast<std::size_t>(dim)] : 0;
    points.push_back(at);
  }
  return by_place([points](std::int64_t i) { return points.at(static_cast<std::size_t>(i)); }, kLast);
}

MadeValues unique_values(const CallArguments& call) {
  if (!call["dim"].is_number_integer()) return distinct(call.elements("self"), output_size(call, 0), {});
  const std::int64_t dims = static_cast<std::int64_t>(call.shape("self").size());
  const std::int64_t dim = call.integer("dim", 0) + (call.integer("dim", 0) < 0 ? dims : 0);
  return distinct(call.size("self", dim), output_size(call, static_cast<std::size_t>(dim)), dim);
}

MadeValues viewed_from(const CallArguments& call) {
  const Json& size = call["size"];
  const Json& stride = call["stride"];
  MadeValues made;
  made.storage_elements = call.integer("storage_offset", 0) + 1;
  for (std::size_t i = 0; i < std::min(size.size(), stride.size()); ++i)
    made.storage_elements += std::max<std::int64_t>(size[i].get<std::int64_t>() - 1, 0) * stride[i].get<std::int64_t>();
  return made;
}

std::int64_t classes(const CallArguments& call) { return call.size("self", call.shape("self").size() == 1 ? 0 : 1); }

MadeValues classes_or_their_probabilities(const CallArguments& call) {
  return call.shape("target") == call.shape("self") ? probabilities() : below(classes(call));
}

MadeValues hot_classes(const CallArguments& call) {
  const auto shape = shape_of(call.output);
  return up_to(shape.empty() ? 0 : std::max<std::int64_t>(shape.back() - 1, 0));
}

using ValuesOf = std::function<MadeValues(const CallArguments& call, std::size_t item)>;

ValuesOf always(MadeValues values) {
  return [values](const CallArguments&, std::size_t) { return values; };
}

template <class Of>
ValuesOf of_call(Of values) {
  return [values](const CallArguments& call, std::size_t) { return values(call); };
}

struct Rule {
  std::string_view ops;       // separated by spaces; "*" for all, "nll_loss*" for all that begin so
  std::string_view argument;  // "*" for all
  ValuesOf values;
};

// The first one that fits holds.
const std::vector<Rule>& rules() {
  static const auto* all = new std::vector<Rule>{
      // Indices
      {"gather gather_backward scatter* index_select index_add* index_copy* index_fill* index_reduce*", "index",
       of_call([](const auto& call) { return below(indexed_size(call)); })},
      {"take_along_dim", "indices", of_call([](const auto& call) { return below(indexed_size(call)); })},
      {"index _unsafe_index index_put* _unsafe_index_put _index_put_impl_", "indices", one_of_indices},
      {"take put put_", "index", of_call([](const auto& call) { return below(call.elements("self")); })},
      {"embedding_renorm_", "indices", of_call([](const auto& call) { return below(call.size("self", 0)); })},
      {"embedding embedding_bag* _embedding_bag*", "indices",
       of_call([](const auto& call) { return below(call.size("weight", 0)); })},
      {"embedding_dense_backward embedding_backward", "indices",
       of_call([](const auto& call) { return below(call.integer("num_weights", 1)); })},
      {"embedding_bag* _embedding_bag*", "offsets",
       of_call([](const auto& call) { return ascending(last_size(call, "offsets"), call.elements("indices")); })},
      {"max_unpool*", "indices", of_call([](const auto& call) {
         const auto sizes = call["output_size"].template get<std::vector<std::int64_t>>();
         return below(pooled_elements(sizes, sizes.size()));
       })},
      {"max_pool* adaptive_max_pool* fractional_max_pool*", "indices",
       of_call([](const auto& call) { return below(pooled_elements(call.shape("self"), pool_dims(call))); })},
      {"nll_loss* multi_margin_loss* multilabel_margin_loss*", "target",
       of_call([](const auto& call) { return below(classes(call)); })},
      {"cross_entropy_loss", "target", of_call(classes_or_their_probabilities)},
      {"one_hot", "self", of_call(hot_classes)},
      {"linalg_lu_solve linalg_ldl_solve", "pivots", always(unmoved_rows())},
      {"lu_solve lu_unpack", "LU_pivots", always(unmoved_rows())},
      // Parts of something
      {"segment_reduce", "lengths", of_call([](const auto& call) {
         const auto axis = static_cast<std::int64_t>(call.shape("lengths").size()) - 1;
         return adding_up(last_size(call, "lengths"), call.size("data", axis), kLast);
       })},
      {"segment_reduce", "offsets", of_call([](const auto& call) {
         const auto axis = static_cast<std::int64_t>(call.shape("offsets").size()) - 1;
         return ascending(last_size(call, "offsets"), call.size("data", axis));
       })},
      {"repeat_interleave", "repeats", of_call([](const auto& call) {
         const bool of_tensor = !call["self"].is_null();
         const auto dim = call["dim"].is_null() ? 0 : call.integer("dim", 0);
         const auto dims = static_cast<std::int64_t>(shape_of(call.output).size());
         const auto sum = output_size(call, static_cast<std::size_t>(of_tensor && dim < 0 ? dim + dims : dim));
         const auto repeated = call.elements("repeats") > 1 || !of_tensor ? call.elements("repeats")
                               : call["dim"].is_null()                    ? call.elements("self")
                                                                          : call.size("self", dim);
         return call.elements("repeats") > 1 || !of_tensor ? adding_up(repeated, sum, kLast)
                                                           : all_equal(sum / std::max<std::int64_t>(repeated, 1));
       })},
      {"tensor_split", "tensor_indices_or_sections", of_call(split_points)},
      {"ctc_loss _ctc_loss", "input_lengths",
       of_call([](const auto& call) { return all_equal(call.size("log_probs", 0)); })},
      {"ctc_loss _ctc_loss", "targets",
       of_call([](const auto& call) { return range(1, static_cast<double>(last_size(call, "log_probs"))); })},
      {"ctc_loss _ctc_loss", "target_lengths", of_call([](const auto& call) {
         const bool joined = call.shape("targets").size() == 1;
         return joined ? adding_up(call.elements("target_lengths"), call.elements("targets"), {})
                       : all_equal(std::min(last_size(call, "targets"), call.size("log_probs", 0)));
       })},
      {"searchsorted", "sorted_sequence", of_call([](const auto& call) {
         return ascending(last_size(call, "sorted_sequence"), last_size(call, "sorted_sequence"));
       })},
      {"bucketize", "boundaries",
       of_call([](const auto& call) { return ascending(call.elements("boundaries"), call.elements("boundaries")); })},
      {"as_strided*", "self", of_call(viewed_from)},
      // As many as came out
      {"nonzero nonzero_numpy argwhere", "self",
       of_call([](const auto& call) { return adding_up(call.elements("self"), output_size(call, 0), {}); })},
      {"masked_select", "mask", of_call(selecting_mask)},
      {"bincount", "self",
       of_call([](const auto& call) { return up_to(std::max<std::int64_t>(output_size(call, 0) - 1, 0)); })},
      {"unique_dim unique_consecutive unique_dim_consecutive _unique _unique2", "self", of_call(unique_values)},
      // Numbers with a meaning
      {"*", "running_var", always(range(0.5, 1.5))},
      {"normal*", "std", always(probabilities())},
      {"quantile nanquantile", "q", always(probabilities())},
      {"multinomial bernoulli poisson _standard_gamma _sample_dirichlet", "self", always(probabilities())},
      {"bernoulli*", "p", always(probabilities())},
      {"binomial", "prob", always(probabilities())},
      {"binomial", "count", always(range(1, 10))},
      {"binary_cross_entropy*", "target", always(probabilities())},
      {"binary_cross_entropy binary_cross_entropy_backward", "self", always(probabilities())},
      {"cov", "aweights", always(probabilities())},
      {"cholesky cholesky_inverse", "self", always(positive_definite())},
      {"linalg_cholesky*", "self", always(positive_definite())},
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
