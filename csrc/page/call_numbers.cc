#include "page/call_numbers.h"

#include <array>
#include <optional>
#include <string_view>

#include "format/canonical_json.h"
#include "format/signature.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

using Kind = CallNumber::Kind;

// Operators that take weights, and which argument is not one of them. Of all others every tensor may be dynamic.
struct Weighted {
  std::string_view name;
  std::size_t activation;
};

constexpr std::array<Weighted, 19> kWeighted = {{
    {"linear", 0},
    {"conv1d", 0},
    {"conv2d", 0},
    {"conv3d", 0},
    {"convolution", 0},
    {"_convolution", 0},
    {"conv_transpose1d", 0},
    {"conv_transpose2d", 0},
    {"conv_transpose3d", 0},
    {"cudnn_convolution", 0},
    {"layer_norm", 0},
    {"native_layer_norm", 0},
    {"group_norm", 0},
    {"native_group_norm", 0},
    {"batch_norm", 0},
    {"native_batch_norm", 0},
    {"rms_norm", 0},
    {"embedding", 1},
    {"addmm", 1},
}};

// "aten.linear.default" -> "linear"
std::string_view base_name(std::string_view op) {
  const auto first = op.find('.');
  if (first == std::string_view::npos) return op;
  return op.substr(first + 1, op.find('.', first + 1) - first - 1);
}

std::optional<std::size_t> activation_of(std::string_view op) {
  if (!op.starts_with("aten.")) return std::nullopt;
  for (const Weighted& weighted : kWeighted)
    if (weighted.name == base_name(op)) return weighted.activation;
  return std::nullopt;
}

class Taker {
 public:
  void literal(const std::string& text) { call_.skeleton += text; }

  void argument(const Json& value, bool fixed) {
    if (is_tensor(value)) {
      tensor(value, [&](Kind kind, const Json& number) { add(fixed ? Kind::kFixed : kind, number); });
    } else if (value.is_array()) {
      literal("[");
      for (const Json& item : value) argument(item, fixed);
      literal("]");
    } else if (value.is_number_integer()) {
      add(fixed ? Kind::kFixed : Kind::kValue, value);
    } else {
      literal(canonical_json(value) + ",");
    }
  }

  void output(const Json& value) {
    if (is_tensor(value)) {
      tensor(value, [&](Kind kind, const Json& number) {
        if (kind == Kind::kSize) call_.output_sizes.push_back(number.get<std::int64_t>());
      });
    } else if (value.is_array()) {
      literal("[");
      for (const Json& item : value) output(item);
      literal("]");
    } else {
      literal(value.is_number_integer() ? "#" : canonical_json(value) + ",");
    }
  }

  CallNumbers take() { return std::move(call_); }

 private:
  void add(Kind kind, const Json& number) {
    literal("#");
    call_.numbers.push_back({kind, number.get<std::int64_t>()});
  }

  template <typename Number>
  void tensor(const Json& value, Number number) {
    const Json shape = value.value("shape", Json());
    const Json stride = value.value("stride", Json());
    const bool contiguous = shape.is_array() && stride.is_array() && is_contiguous(shape, stride);
    literal("T" + canonical_json(value.at("dtype")) + canonical_json(value.value("layout", Json())) +
            (contiguous ? "c" : "s"));
    numbers_of(shape, Kind::kSize, number);
    if (!contiguous) numbers_of(stride, Kind::kStride, number);
  }

  template <typename Number>
  void numbers_of(const Json& list, Kind kind, Number number) {
    if (!list.is_array()) return literal(canonical_json(list));
    literal("[" + std::to_string(list.size()) + "]");
    for (const Json& item : list) {
      if (item.is_number_integer())
        number(kind, item);
      else
        literal(canonical_json(item));
    }
  }

  CallNumbers call_;
};

}  // namespace

CallNumbers call_numbers(const Json& signature) {
  const std::string& op = signature.at("op").get_ref<const std::string&>();
  const std::optional<std::size_t> activation = activation_of(op);
  Taker taker;
  taker.literal(op + "\n" + signature.at("stage").get<std::string>() + "\n");
  const Json& args = signature.at("args");
  for (std::size_t i = 0; i < args.size(); ++i)
    taker.argument(args[i], activation && is_tensor(args[i]) && i != *activation);
  for (const auto& [name, value] : signature.at("kwargs").items()) {
    taker.literal(canonical_json(Json(name)) + "=");
    taker.argument(value, false);
  }
  taker.literal("->");
  taker.output(signature.at("output"));
  return taker.take();
}

}  // namespace opcov
