#include "report/call_parts.h"

#include <functional>
#include <utility>

#include "format/signature.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

bool is_constant(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().starts_with("torch.");
}

bool is_dict(const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains("dict") && value.at("dict").is_array();
}

CallPart tensor_part(const std::string& where, const Json& tensor) {
  CallPart part{where, CallPart::Kind::kTensor, tensor, value_text(tensor.at("dtype")), {},
                1,     tensor_layout(tensor),   0};
  const Json shape = tensor.value("shape", Json());
  for (const Json& size : shape) {
    part.sizes.push_back(size.is_number_integer() ? size.get<std::int64_t>() : -1);
    part.elements *= static_cast<double>(part.sizes.back());
  }
  return part;
}

class Taker {
 public:
  void take(const std::string& where, const Json& value) {
    if (is_tensor(value)) {
      parts_.push_back(tensor_part(where, value));
    } else if (value.is_array()) {
      take_items(where, value);
    } else if (is_dict(value)) {
      take_items(where, value.at("dict"));
    } else {
      const auto kind = is_constant(value) ? CallPart::Kind::kConstant : CallPart::Kind::kValue;
      parts_.push_back({where, kind, value, {}, {}, 0, {}, 0});
    }
  }

  std::vector<CallPart> parts() {
    for (CallPart& part : parts_) part.value_hash = std::hash<Json>{}(part.value);
    return std::move(parts_);
  }

 private:
  void take_items(const std::string& where, const Json& items) {
    parts_.push_back({where + " items", CallPart::Kind::kValue, items.size(), {}, {}, 0, {}, 0});
    for (std::size_t i = 0; i < items.size(); ++i) take(where + "[" + std::to_string(i) + "]", items[i]);
  }

  std::vector<CallPart> parts_;
};

}  // namespace

std::vector<CallPart> parts_of_arguments(const Json& signature) {
  Taker taker;
  const Json& args = signature.at("args");
  for (std::size_t i = 0; i < args.size(); ++i) taker.take("arg " + std::to_string(i), args[i]);
  for (const auto& [name, value] : signature.at("kwargs").items()) taker.take("kwarg " + name, value);
  return taker.parts();
}

std::vector<CallPart> parts_of_output(const Json& signature) {
  Taker taker;
  if (signature.contains("output")) taker.take("output", signature.at("output"));
  return taker.parts();
}

}  // namespace opcov
