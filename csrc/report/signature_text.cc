#include "report/signature_text.h"

#include <array>
#include <string_view>
#include <utility>

#include "format/canonical_json.h"
#include "format/signature.h"

namespace opcov {
namespace {

constexpr std::string_view kTorch = "torch.";

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kShortDtypes = {{
    {"bfloat16", "bf16"},
    {"float16", "f16"},
    {"float32", "f32"},
    {"float64", "f64"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"complex64", "c64"},
    {"complex128", "c128"},
}};

}  // namespace

std::string constant_text(std::string text) {
  if (text.starts_with(kTorch)) text.erase(0, kTorch.size());
  for (const auto& [name, shorter] : kShortDtypes)
    if (text == name) return std::string(shorter);
  if (text.starts_with("float8_")) return "f8_" + text.substr(7);
  return text;
}

bool is_contiguous(const Json& shape, const Json& stride) {
  if (shape.size() != stride.size()) return false;
  Json::number_integer_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (!shape[i].is_number_integer() || stride[i] != expected) return false;
    const auto size = shape[i].get<Json::number_integer_t>();
    if (__builtin_mul_overflow(expected, size > 1 ? size : 1, &expected)) return false;
  }
  return true;
}

namespace {

std::string joined(const Json& list) {
  std::string text;
  for (const Json& item : list) text += (text.empty() ? "" : ", ") + value_text(item);
  return text;
}

// "[1,2]" of a JSON array, without the spaces that lists of arguments have.
std::string sizes(const Json& list, char open, char close) {
  std::string text = canonical_json(list);
  if (list.is_array()) text.front() = open, text.back() = close;
  return text;
}

std::string tensor_text(const Json& tensor) {
  const Json& dtype = tensor.at("dtype");
  std::string text = dtype.is_string() ? constant_text(dtype.get<std::string>()) : canonical_json(dtype);
  const Json shape = tensor.value("shape", Json());
  text += shape.is_array() ? sizes(shape, '[', ']') : "[?]";
  const Json stride = tensor.value("stride", Json());
  if (shape.is_array() && stride.is_array() && !is_contiguous(shape, stride)) text += sizes(stride, '{', '}');
  const Json layout = tensor.value("layout", Json());
  if (layout.is_string()) text += ":" + constant_text(layout.get<std::string>());
  return text;
}

std::string object_text(const Json& object) {
  if (is_tensor(object)) return tensor_text(object);
  if (object.size() == 1) {
    const auto only = object.begin();
    if ((only.key() == "float" || only.key() == "object") && only->is_string()) return only->get<std::string>();
    if (only.key() == "complex" && only->is_array()) return "complex(" + joined(*only) + ")";
  }
  return canonical_json(object);
}

}  // namespace

std::string value_text(const Json& value) {
  if (value.is_object()) return object_text(value);
  if (value.is_array()) return "[" + joined(value) + "]";
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  // A dtype, a layout or a memory format; any other string is in quotes.
  if (value.is_string() && value.get_ref<const std::string&>().starts_with(kTorch))
    return constant_text(value.get<std::string>());
  return canonical_json(value);
}

std::string operator_text(const std::string& op) {
  std::string text = op;
  if (text.starts_with("aten.")) text.erase(0, 5);
  if (text.ends_with(".default")) text.erase(text.size() - 8);
  return text;
}

std::string signature_text(const Json& signature) {
  std::string arguments = joined(signature.at("args"));
  for (const auto& [name, value] : signature.at("kwargs").items())
    arguments += (arguments.empty() ? "" : ", ") + name + "=" + value_text(value);
  return operator_text(signature.at("op").get<std::string>()) + "(" + arguments + ") -> " +
         value_text(signature.at("output"));
}

}  // namespace opcov
